"""Chinese Checkers, and its star."""
