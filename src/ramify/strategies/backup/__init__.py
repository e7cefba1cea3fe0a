"""Backups: compute the value of a node from the simulations below it. One file per backup, found by scanning."""
