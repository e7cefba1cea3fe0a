"""Ramify's own rulesheets in GDL."""

from __future__ import annotations

from ramify.arena.kilothon.categories import categories


def games() -> list[str]:
    """All of turns."""
    return [game for game in categories() if game.startswith("gdl:")]


def category(game: str) -> str:
    """By the table."""
    return categories()[game]
