"""``load``: the game of a name, wherever it lives."""

from __future__ import annotations

import importlib
import importlib.util
from functools import cache
from pathlib import Path

from ramify.contract.game import Game
from ramify.contract.registry import load_call
from ramify.errors import RamifyError, suggestion
from ramify.grammar import parse

BRIDGES = "ramify.bridges"  # modules here with a function `load` know the games of a neighbour


def load(name: str) -> Game:
    """The game of that name: ours (``hex(size=7)``), a file (``./mygame.py``) or a bridge's (``openspiel:chess``)."""
    if not isinstance(name, str):
        raise RamifyError(f"a game is known by its name, a text, not by {name!r}")
    prefix, colon, rest = name.partition(":")
    if colon and "/" not in prefix and "(" not in prefix:
        if prefix not in bridges():
            raise RamifyError(f"there is no bridge '{prefix}'; {suggestion(prefix, bridges())}")
        game: Game = importlib.import_module(f"{BRIDGES}.{prefix}").load(rest)
        return game
    return load_call(parse(name))


@cache
def bridges() -> tuple[str, ...]:
    """What may stand before the colon: the files and folders of the room of bridges that have a function ``load``."""
    room = importlib.util.find_spec(BRIDGES)
    files = {
        path.stem if path.stem != "__init__" else path.parent.name: path
        for folder in (room.submodule_search_locations if room else None) or ()
        for path in (*Path(folder).glob("*.py"), *Path(folder).glob("*/__init__.py"))
    }
    return tuple(sorted(name for name, path in files.items() if "\ndef load(" in path.read_text(encoding="utf-8")))
