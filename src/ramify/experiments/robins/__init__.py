"""Round robins of selection policies where everybody moves at once."""
