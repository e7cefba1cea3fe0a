"""Choosers of moves in playouts (``core.engine.turns``), and how their tables learn: one idea a file."""
