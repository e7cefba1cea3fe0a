"""Ramify's own games."""

from __future__ import annotations

from ramify.arena.kilothon.categories import categories


def games() -> list[str]:
    """All games of turns."""
    return [game for game in categories() if ":" not in game]


def category(game: str) -> str:
    """By the table."""
    return categories()[game]
