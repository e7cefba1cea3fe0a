"""Chinese Checkers and its star-shaped board."""
