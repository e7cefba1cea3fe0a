"""Studies of our own."""
