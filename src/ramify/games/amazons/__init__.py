"""Amazons, and what its queens reach."""
