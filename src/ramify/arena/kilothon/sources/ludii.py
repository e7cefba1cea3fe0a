"""Games of Ludii, from the user's jar."""

from __future__ import annotations

from ramify.arena.kilothon.categories import CATEGORIES, OTHER
from ramify.bridges import ludii
from ramify.bridges.ludii.catalogue import load_facts

PREFIX = "ludii:"


def games() -> list[str]:
    """All that a search can play, with chance or without; the first time Ludii looks at every game, for minutes."""
    return list(players())


def players() -> dict[str, int]:
    """How many play each of them, without loading it."""
    return {PREFIX + one.name: one.players for one in load_facts() if one.searchable}


def category(game: str) -> str:
    """By the game's folder in Ludii; its puzzles, mathematical games and experiments are none of the five."""
    found = ludii.category(game)
    return found if found in CATEGORIES else OTHER
