"""Checkers, and its board as sets of squares."""
