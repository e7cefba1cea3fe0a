"""Where the games of Kilothon come from: one file a source, found by scanning.

A source has ``games()``, the names of its suitable games as ``load`` reads them, and ``category(game)``; one that knows
how many play its games without loading them has ``players()``, too. Suitable are games of turns without hidden
information. The categories are those of Parlett, "The Oxford History of Board Games"
(1999), as Ludii has them: hunt, race, sow, space, war; what is none of these (puzzles, dice, made-up trees) is other.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from ramify.errors import RamifyError, suggestion


def names() -> list[str]:
    """All sources."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def source(name: str) -> ModuleType:
    """The source of that name."""
    known = names()
    if name not in known:
        listing = f"known are {', '.join(known)}"
        raise RamifyError(f"there is no source of games '{name}'; {suggestion(name, known, listing)}")
    return import_module(f"{__name__}.{name}")


def games_of(chosen: Sequence[str]) -> dict[str, str]:
    """The category of every suitable game of some sources, by its name."""
    return {game: one.category(game) for one in map(source, chosen) for game in one.games()}


def players_of(chosen: Sequence[str]) -> dict[str, int]:
    """How many play, by the name of the game, as far as the sources know without loading it."""
    return {
        game: players
        for one in map(source, chosen)
        if hasattr(one, "players")
        for game, players in one.players().items()
    }
