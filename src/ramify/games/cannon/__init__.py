"""Cannon: its board, its texts, its published playouts."""
