"""Which source files end up inside a kernel besides the core's: the file it is made from, and its own kin.

Machine code kept on disk must not outlive its source. The name of a kernel carries a digest of these files as they
were when they were imported, so a file edited while a process runs does not lend its new digest to old code.
"""

import ast
import hashlib
import importlib.util
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType

from ramify.core.kernels.compiling import jit
from ramify.core.kernels.disk_cache import PACKAGE, is_generated

LIBRARIES = [Path(sysconfig.get_path(key)).resolve() for key in ("stdlib", "purelib", "platlib")]

# Rooms whose files import each other's compiled functions; the core has its own digest (disk.source_digest).
AUTHOR_FOLDERS = [PACKAGE / "games", PACKAGE / "strategies"]


def digest(module: ModuleType) -> str:
    """Digest of a module and of everything that it can compile in: see ``kin``."""
    whole = hashlib.sha256()
    for one in imported_author_modules(module):
        whole.update(_source(one))
    return whole.hexdigest()


def imported_author_modules(module: ModuleType) -> list[ModuleType]:
    """The module and the modules it imports, directly or not, that are the user's or games and strategies of ours."""
    found = [module]
    for one in found:  # grows as we go
        found.extend(other for other in _imported(one) if other not in found)
    return found


def stale(module: ModuleType) -> bool:
    """Whether the module's file, or one that it imports, has changed since it was imported."""
    return any(_source(one) != _read(one) for one in imported_author_modules(module))


def syntax(function: FunctionType) -> ast.FunctionDef | None:
    """The syntax of a function that stands in a file, as that was when imported; None if it is not found there."""
    module = sys.modules[function.__module__]
    found = [node for node in ast.parse(_source(module)).body if isinstance(node, ast.FunctionDef)]
    return next((node for node in reversed(found) if node.name == function.__name__), None)


def make_compilable(module: ModuleType, but: frozenset[str] = frozenset()) -> None:
    """Let compiled code call the plain functions of the module (``but`` some) and its kin; Python still can, too."""
    for one in imported_author_modules(module):
        _make_compilable(one, but if one is module else frozenset())


@cache
def _make_compilable(module: ModuleType, but: frozenset[str]) -> None:
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__ and name not in but:
            jit(value)


def _read(module: ModuleType) -> bytes:
    return Path(str(module.__file__)).read_bytes()


@cache
def _source(module: ModuleType) -> bytes:
    """What stood in the module's file when this was first asked: right after its import."""
    return _read(module)


@cache
def _imported(module: ModuleType) -> list[ModuleType]:
    """The own modules that one module's text imports; what it holds would not tell (``from board import SIZE``)."""
    names = set()
    for node in _statements(ast.parse(_source(module)).body):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (module.__package__ or not node.level):
            dots = "." * node.level + (node.module or "")
            origin = importlib.util.resolve_name(dots, module.__package__) if node.level else dots
            names.update([origin, *(f"{origin}.{alias.name}" for alias in node.names)])
    modules = [sys.modules[name] for name in sorted(names) if name in sys.modules]
    return [one for one in modules if is_author_file(getattr(one, "__file__", None) or "")]


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements, those inside others too; ``ast.walk`` would visit every expression as well."""
    for node in body:
        yield node
        for part in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(node, part, []))
        for case in [*getattr(node, "handlers", []), *getattr(node, "cases", [])]:
            yield from _statements(case.body)


def is_user_module(module: ModuleType) -> bool:
    """Whether a module is not one of ours."""
    return not Path(str(module.__file__)).resolve().is_relative_to(PACKAGE)


def is_author_file(file: str) -> bool:
    """Whether an author wrote this file: a user, or we as one of our games and strategies."""
    path = Path(file).resolve()
    if path.suffix != ".py" or is_generated(file):
        return False
    if path.is_relative_to(PACKAGE):
        return any(path.is_relative_to(room) for room in AUTHOR_FOLDERS)
    return not any(path.is_relative_to(library) for library in LIBRARIES)
