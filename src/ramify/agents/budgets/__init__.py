"""Limits of searches, moves and games: budgets, clocks, and what a player may spend of both."""
