"""Tron, and territory on its maps."""
