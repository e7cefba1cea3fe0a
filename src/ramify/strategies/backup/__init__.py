"""Backups: how the value of a node follows from the simulations below it. One file per backup, found by scanning."""
