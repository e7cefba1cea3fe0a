"""Playouts: how a simulation goes on below the tree."""
