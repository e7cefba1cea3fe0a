"""Games of OpenSpiel, if the installed version has them."""

from __future__ import annotations

from ramify.arena.kilothon.categories import categories
from ramify.bridges.openspiel import names

PREFIX = "openspiel:"


def games() -> list[str]:
    """Turn-based games of more than a few moves, as listed in ``games.csv``."""
    known = set(names())
    return [game for game in categories() if game.startswith(PREFIX) and game.removeprefix(PREFIX) in known]


def category(game: str) -> str:
    return categories()[game]
