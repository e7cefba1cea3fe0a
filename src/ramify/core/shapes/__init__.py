"""Shapes of the search, one file each: their versions of the verbs of ``core.search.verbs``."""
