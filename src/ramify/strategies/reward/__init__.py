"""Rewards: what a finished simulation is worth to each player."""
