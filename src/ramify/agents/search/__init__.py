"""A search that can be run, watched, asked and moved along a game."""
