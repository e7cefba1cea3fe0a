"""Games of OpenSpiel, as far as it has them."""

from __future__ import annotations

from ramify.arena.kilothon.categories import categories
from ramify.bridges.openspiel import names

PREFIX = "openspiel:"


def games() -> list[str]:
    """Those of turns that are played for more than a few moves; the table says which."""
    known = set(names())
    return [game for game in categories() if game.startswith(PREFIX) and game.removeprefix(PREFIX) in known]


def category(game: str) -> str:
    """By the table."""
    return categories()[game]
