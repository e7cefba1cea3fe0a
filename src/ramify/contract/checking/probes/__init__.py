"""Probes: a game as the checks call it, one probe per kind of game."""
