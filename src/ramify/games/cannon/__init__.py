"""Cannon: board, position texts, published playouts."""
