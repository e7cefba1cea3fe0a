"""Intervals, tests and ratings. Independent of games, so every package except core may import it."""
