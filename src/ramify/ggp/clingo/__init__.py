"""Grounding with clingo."""
