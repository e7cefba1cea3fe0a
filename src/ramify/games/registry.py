"""Finding games: ours by scanning this folder, a user's by the path of a file."""

import importlib
import inspect
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from ramify.errors import RamifyError, nearest
from ramify.games.compiled import CompiledGame
from ramify.games.game import Game
from ramify.games.uncompiled import UncompiledGame
from ramify.grammar import Call
from ramify.userfiles import import_file, is_path

HERE = Path(__file__).parent


@lru_cache
def names() -> tuple[str, ...]:
    """Names of the games in this folder: every file with a function ``start``."""
    return tuple(sorted(path.stem for path in HERE.glob("*.py") if "\ndef start(" in path.read_text(encoding="utf-8")))


def load_call(call: Call) -> Game:
    """The game that a parsed name means."""
    if is_path(call.name):
        return load_file(call)
    if call.name not in names():
        raise RamifyError(f"there is no game '{call.name}'; {nearest(call.name, names())}")
    return CompiledGame(builtin_module(call.name), call)


def builtin_module(name: str) -> ModuleType:
    """The module of one of our games."""
    return importlib.import_module(f"ramify.games.{name}")


def load_file(call: Call) -> Game:
    """The game in a user's file: functions over a record (compiled), or one class (uncompiled)."""
    module = import_file(call.name)
    if hasattr(module, "start"):
        missing = [name for name in ("State", "PLAYERS") if not hasattr(module, name)]
        if missing:
            raise RamifyError(
                f"{call.name} has no {missing[0]}; `ramify check-game {call.name}` tells what a game needs"
            )
        return CompiledGame(module, call)
    classes: list[Callable[..., object]] = [
        value for value in vars(module).values() if inspect.isclass(value) and value.__module__ == module.__name__
    ]
    found = [one for one in classes if hasattr(one, "moves") and hasattr(one, "play")]
    if len(found) != 1:
        raise RamifyError(
            f"{call.name} is not a game: it has neither a function 'start' nor one class with 'moves' and 'play'"
        )
    return UncompiledGame.of_class(found[0], call)
