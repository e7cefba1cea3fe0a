"""Compiled walks through a game that are not searches: perft and the survey."""
