"""Matches and tournaments: players, openings, schedules and standings."""
