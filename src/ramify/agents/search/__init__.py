"""Searches: build, run, inspect, and keep the tree during a game."""
