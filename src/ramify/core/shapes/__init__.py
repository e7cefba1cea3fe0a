"""How each shape of search opens a node, steps through it and backs it up: one file per shape."""
