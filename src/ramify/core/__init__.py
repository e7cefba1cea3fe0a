"""Compiled code that knows no game and no paper: generator, bits, tree records and the search loop."""
