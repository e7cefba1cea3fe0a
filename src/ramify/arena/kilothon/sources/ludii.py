"""Games of Ludii, from the user's jar."""

from __future__ import annotations

from ramify.arena.kilothon.categories import CATEGORIES, OTHER
from ramify.bridges import ludii
from ramify.bridges.ludii.catalogue import load_facts

PREFIX = "ludii:"


def games() -> list[str]:
    """All games that a search can play, with or without chance. The first call takes minutes."""
    return list(players())


def players() -> dict[str, int]:
    return {PREFIX + one.name: one.players for one in load_facts() if one.searchable}


def category(game: str) -> str:
    """Category by the game's folder in Ludii; puzzles, mathematical games and experiments are OTHER."""
    found = ludii.category(game)
    return found if found in CATEGORIES else OTHER
