"""Built-in rulesheets."""

from __future__ import annotations

from ramify.arena.kilothon.categories import categories


def games() -> list[str]:
    return [game for game in categories() if game.startswith("gdl:")]


def category(game: str) -> str:
    return categories()[game]
