"""Finds games: built-in ones by scanning ``ramify.games``, users' by the path of a file."""

import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from ramify.contract.author_errors import USER_MODULE, explain_error, raised_by_author
from ramify.contract.compiled_game import CompiledGame
from ramify.contract.game import Game
from ramify.contract.parts import adopt_old_parts, listed, missing
from ramify.contract.python_game import PythonGame
from ramify.core.kernels import source_digest
from ramify.errors import RamifyError, os_error_text, suggestion
from ramify.grammar import Call
from ramify.paths import resolved

GameT = TypeVar("GameT", bound=Game)
GAMES = Path(__file__).parents[1] / "games"


@cache
def names() -> tuple[str, ...]:
    """Return the built-in games: every ``NAME.py`` or ``NAME/NAME.py`` with a function ``start``."""
    files = [*GAMES.glob("*.py"), *(path for path in GAMES.glob("*/*.py") if path.stem == path.parent.name)]
    return tuple(sorted(path.stem for path in files if "\ndef start(" in path.read_text(encoding="utf-8")))


def load_call(call: Call) -> Game:
    """Load the game of a parsed name."""
    if is_path(call.name):
        return load_file(call)
    if call.name not in names():
        raise RamifyError(f"there is no game '{call.name}'; {suggestion(call.name, names())}")
    return CompiledGame(builtin_module(call.name), call)


def builtin_module(name: str) -> ModuleType:
    """Import a built-in game's module; a game with helper modules is a package."""
    path = f"{name}.{name}" if (GAMES / name / f"{name}.py").exists() else name
    return importlib.import_module(f"ramify.games.{path}")


def is_path(name: str) -> bool:
    """Return whether a name is the path of a user's file."""
    return name.endswith(".py") or "/" in name


def load_file(call: Call) -> Game:
    """Load the game in a user's file: functions over a record (compiled) or one class (not compiled)."""
    module = import_file(call.name)
    if hasattr(module, "start"):
        adopt_old_parts(module)
        parts = missing(vars(module))
        if parts:
            raise RamifyError(f"{call.name} has no {listed(parts)}; for details run `ramify check-game {call.name}`")
        return make_game(CompiledGame, module, call, module)
    classes: list[Callable[..., object]] = [
        value for value in vars(module).values() if inspect.isclass(value) and value.__module__ == module.__name__
    ]
    found = [one for one in classes if hasattr(one, "moves") and hasattr(one, "play")]
    if len(found) != 1:
        raise RamifyError(
            f"{call.name} is not a game: it needs a function 'start', or one class with 'moves' and 'play'"
        )
    game = make_game(PythonGame.from_class, found[0], call, module)
    from ramify.contract.checking.precheck import precheck_class  # noqa: PLC0415  (it plays such games)

    precheck_class(game, module)
    return game


def make_game(make: Callable[..., GameT], source: object, call: Call, module: ModuleType) -> GameT:
    """Make a game from a user's file; exceptions raised in the file are reported with their line."""
    try:
        return make(source, call)
    except RamifyError:
        raise
    except BaseException as error:
        explained = explain_error(error, str(module.__file__), "configure")
        if explained is error:
            raise
        raise explained from error


def resolve_file(name: str) -> Path:
    """Resolve the path of a user's file. Raise RamifyError if it does not exist."""
    try:
        path = resolved(Path(name).expanduser())
        if path.is_file():
            return path
        folder = path.is_dir()
    except (OSError, ValueError) as error:
        raise RamifyError(f"invalid path '{name[:60]}': {os_error_text(error)}") from None
    except RuntimeError:  # of expanduser
        raise RamifyError(f"unknown user in path '{name}'") from None
    raise RamifyError(f"{name} is a folder: name a Python file in it" if folder else f"there is no file {name}")


def import_file(name: str) -> ModuleType:
    """Import a file by path, with its folder on ``sys.path``; reimport it if it or a file it imports has changed."""
    path = resolve_file(name)
    unique = f"{USER_MODULE}{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    before = sys.modules.get(unique)
    if before is not None and not source_digest.stale(before):
        return before
    spec = importlib.util.spec_from_file_location(unique, path)
    if spec is None or spec.loader is None:
        raise RamifyError(f"{name} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    if before is not None:
        unload(before)
    sys.modules[unique] = module
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    keeping, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # Python's own cache misses edits in one second
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[unique]
        if not isinstance(error, Exception) and not raised_by_author(error):
            raise
        raise RamifyError(f"{name} cannot be imported: {type(error).__name__}: {error}") from error
    finally:
        sys.dont_write_bytecode = keeping
    source_digest.imported_author_modules(module)  # records the sources now, to detect later edits
    return module


def unload(module: ModuleType) -> None:
    """Make Python reimport a user's module and the users' files that it imports."""
    for one in source_digest.imported_author_modules(module):
        if not one.__name__.startswith("ramify."):
            sys.modules.pop(one.__name__, None)
