"""The game contract, and one file a game."""
