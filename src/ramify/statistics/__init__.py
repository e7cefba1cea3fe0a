"""Intervals, tests and ratings. A low room: it knows no game, and any other room except core may use it."""
