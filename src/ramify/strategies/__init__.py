"""Interchangeable parts of a search, named as in the literature."""
