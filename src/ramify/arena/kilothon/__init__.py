"""Kilothon: every suitable game, one minute each, against a stock opponent."""
