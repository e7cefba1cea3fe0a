"""``load``: built-in games, users' files and games of bridges, by name."""

from __future__ import annotations

import importlib
import importlib.util
from functools import cache
from pathlib import Path

from ramify.contract.game import Game
from ramify.contract.registry import load_call
from ramify.errors import RamifyError, suggestion
from ramify.grammar import parse
from ramify.numpy_scalars import accepting_numpy

BRIDGES = "ramify.bridges"  # its modules with a function `load` are bridges


@accepting_numpy
def load(name: str) -> Game:
    """Load a game: a built-in one (``hex(size=7)``), a file (``./mygame.py``) or a bridge's (``openspiel:chess``)."""
    if not isinstance(name, str):
        raise RamifyError(f"load() takes the name of a game (str), not {name!r}")
    prefix, colon, rest = name.partition(":")
    if colon and "/" not in prefix and "(" not in prefix:
        if prefix not in bridges():
            raise RamifyError(f"unknown bridge '{prefix}': {suggestion(prefix, bridges())}")
        game: Game = importlib.import_module(f"{BRIDGES}.{prefix}").load(rest)
        return game
    return load_call(parse(name))


@cache
def bridges() -> tuple[str, ...]:
    """Return the prefixes of ``load``: the modules and packages in ``ramify.bridges`` with a function ``load``."""
    package = importlib.util.find_spec(BRIDGES)
    files = {
        path.stem if path.stem != "__init__" else path.parent.name: path
        for folder in (package.submodule_search_locations if package else None) or ()
        for path in (*Path(folder).glob("*.py"), *Path(folder).glob("*/__init__.py"))
    }
    return tuple(sorted(name for name, path in files.items() if "\ndef load(" in path.read_text(encoding="utf-8")))
