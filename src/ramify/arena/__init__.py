"""Matches and tournaments between agents, their statistics and reports, and tuning."""
