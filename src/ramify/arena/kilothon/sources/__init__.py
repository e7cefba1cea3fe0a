"""Sources of Kilothon's games: one file per source, found by scanning.

A source has ``games()``, the names of its suitable games as ``load`` reads them, and ``category(game)``. It may have
``players()``: numbers of players that it knows without loading the games. Suitable are turn-based games without hidden
information. The categories are those of Parlett, "The Oxford History of Board Games" (1999), as Ludii uses them: hunt,
race, sow, space, war. Anything else (puzzles, dice, artificial trees) is other.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from ramify.errors import RamifyError, suggestion


def names() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def source(name: str) -> ModuleType:
    known = names()
    if name not in known:
        listing = f"expected {', '.join(known)}"
        raise RamifyError(f"unknown source of games '{name}': {suggestion(name, known, listing)}")
    return import_module(f"{__name__}.{name}")


def games_of(chosen: Sequence[str]) -> dict[str, str]:
    """Map each suitable game of the sources to its category."""
    return {game: one.category(game) for one in map(source, chosen) for game in one.games()}


def players_of(chosen: Sequence[str]) -> dict[str, int]:
    """Map games to numbers of players, as far as the sources know them without loading."""
    return {
        game: players
        for one in map(source, chosen)
        if hasattr(one, "players")
        for game, players in one.players().items()
    }
