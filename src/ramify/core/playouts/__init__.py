"""Playout policies and the tables they learn."""
