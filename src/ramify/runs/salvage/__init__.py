"""Salvage of damaged runs: reads the rows that are left."""
