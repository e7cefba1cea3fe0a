"""Amazons and its queen moves."""
