"""Games from elsewhere, and ``load``, which finds a game wherever it lives."""

from __future__ import annotations

import importlib

from ramify.errors import RamifyError, nearest
from ramify.games.game import Game
from ramify.games.registry import load_call
from ramify.grammar import parse

# A prefix of a game's name -> the module whose `load(text)` knows such games.
BRIDGES = {"openspiel": "ramify.bridges.openspiel"}


def load(name: str) -> Game:
    """The game of that name: ours (``hex(size=7)``), a file (``./mygame.py``) or a bridge's (``openspiel:chess``)."""
    if not isinstance(name, str):
        raise RamifyError(f"a game is known by its name, a text, not by {name!r}")
    prefix, colon, rest = name.partition(":")
    if colon and "/" not in prefix and "(" not in prefix:
        if prefix not in BRIDGES:
            raise RamifyError(f"there is no bridge '{prefix}'; {nearest(prefix, BRIDGES)}")
        game: Game = importlib.import_module(BRIDGES[prefix]).load(rest)
        return game
    return load_call(parse(name))
