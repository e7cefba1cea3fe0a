"""Kilothon: many games, one minute per player and game, against a stock opponent."""
