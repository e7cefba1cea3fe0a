"""What a change must not change: the behaviour signature, and speed beside other programs."""
