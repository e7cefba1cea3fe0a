"""Shapes of a search: one file per shape, found by scanning."""
