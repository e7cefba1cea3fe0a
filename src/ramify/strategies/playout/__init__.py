"""Playouts: how a simulation continues below the tree."""
