"""Budgets and clocks: limits per search, per player and per game, and how a search respects them."""
