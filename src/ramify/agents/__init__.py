"""Agents: strategies combined into one search, and the search itself."""
