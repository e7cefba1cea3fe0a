"""Matches between agents, and what their results are worth."""
