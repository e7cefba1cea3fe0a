"""Selection policies: which child to visit next. One family a file, found by scanning."""

from ramify.strategies.selection.registry import Selection, chosen, named, policies

__all__ = ["Selection", "chosen", "named", "policies"]
