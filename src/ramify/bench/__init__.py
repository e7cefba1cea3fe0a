"""Regression checks: the behaviour signature, and speed relative to other programs."""
