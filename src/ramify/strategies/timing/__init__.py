"""Timings: divide the time on a player's clock among its moves."""
