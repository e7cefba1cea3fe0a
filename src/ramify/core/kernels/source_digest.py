"""Digests of the author's source files that are compiled into a kernel: its file and the author's modules it imports.

Cached machine code must not outlive its source. The name of a kernel contains a digest of these files as they were when
imported, so a file edited while a process runs does not give its new digest to old code.
"""

import ast
import hashlib
import importlib.util
import pickle
import sys
import sysconfig
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from ramify.core.kernels.compiling import RAISING_ON_ZERO, jit
from ramify.core.kernels.disk_cache import PACKAGE, is_generated

LIBRARIES = [Path(sysconfig.get_path(key)).resolve() for key in ("stdlib", "purelib", "platlib")]

# Folders whose files import each other's compiled functions; the core has its own digest (``disk_cache``).
AUTHOR_FOLDERS = [PACKAGE / "games", PACKAGE / "strategies"]


def digest(module: ModuleType) -> str:
    """Digest of ``imported_author_modules(module)``."""
    whole = hashlib.sha256()
    for one in imported_author_modules(module):
        whole.update(_source(one))
    return whole.hexdigest()


def function_digest(function: Callable[..., Any]) -> str:
    """Digest of the function's module, and of what it was made of there: its name does not identify a closure."""
    whole = hashlib.sha256(digest(sys.modules[function.__module__]).encode())
    for part in _function_parts(function, []):
        whole.update(part)
    return whole.hexdigest()


def _function_parts(value: object, within: list[object]) -> Iterator[bytes]:
    """Yield the code of a function, its defaults and the variables of its closure; a picture of another value."""
    if any(value is one for one in within):  # a function may call itself
        yield b"recursion"
    elif isinstance(value, FunctionType):
        yield from _code_parts(value.__code__)
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        for one in (*(value.__defaults__ or ()), *cells):
            yield from _function_parts(one, [*within, value])
    else:
        try:
            yield pickle.dumps(value)
        except Exception:  # noqa: BLE001  (an object may refuse in any way)
            yield f"{value!r} {id(value)}".encode()


def _code_parts(code: CodeType) -> Iterator[bytes]:
    yield f"{code.co_qualname} {code.co_firstlineno} {code.co_names}".encode() + code.co_code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_parts(constant)
        else:
            yield repr(constant).encode()


def imported_author_modules(module: ModuleType) -> list[ModuleType]:
    """Return the module and those it imports, transitively, that are the user's or built-in games and strategies."""
    found = [module]
    for one in found:  # grows during the loop
        found.extend(other for other in _imported(one) if other not in found)
    return found


def stale(module: ModuleType) -> bool:
    """Whether the file of the module, or of an author's module it imports, has changed since its import."""
    return any(_source(one) != _read(one) for one in imported_author_modules(module))


def syntax(function: FunctionType) -> ast.FunctionDef | None:
    """Return the syntax tree of a function from its file as imported, or None if it is not there.

    Its name alone would find another function if it was made by a decorator or inside a function.
    """
    module = sys.modules[function.__module__]
    found = [node for node in _parsed(module).body if isinstance(node, ast.FunctionDef)]
    here = (function.__name__, function.__code__.co_firstlineno)
    return next((node for node in found if (node.name, _first_line(node)) == here), None)


def _first_line(node: ast.FunctionDef) -> int:
    """Return the line of a definition, or of its first decorator."""
    return min(one.lineno for one in (node, *node.decorator_list))


def make_compilable(module: ModuleType, but: frozenset[str] = frozenset(), *, raising_on_zero: bool = False) -> None:
    """Let compiled code call the functions of the author's modules, except those of ``module`` named in ``but``.

    ``raising_on_zero``: in users' modules, division by zero raises an error.
    """
    for one in imported_author_modules(module):
        raising = raising_on_zero and is_user_module(one)
        _make_compilable(one, but if one is module else frozenset(), raising_on_zero=raising)


@cache
def _make_compilable(module: ModuleType, but: frozenset[str], *, raising_on_zero: bool) -> None:
    options = RAISING_ON_ZERO if raising_on_zero else {}
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__ and name not in but:
            jit(value, **options)


def _read(module: ModuleType) -> bytes:
    return Path(str(module.__file__)).read_bytes()


@cache
def _source(module: ModuleType) -> bytes:
    """Return the content of the module's file at the first call, right after its import."""
    return _read(module)


@cache
def _parsed(module: ModuleType) -> ast.Module:
    return ast.parse(_source(module))


@cache
def _imported(module: ModuleType) -> list[ModuleType]:
    """Return the author's modules that the source imports. The module's names would miss ``from board import SIZE``."""
    names = set()
    for node in _statements(_parsed(module).body):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (module.__package__ or not node.level):
            dots = "." * node.level + (node.module or "")
            origin = importlib.util.resolve_name(dots, module.__package__) if node.level else dots
            names.update([origin, *(f"{origin}.{alias.name}" for alias in node.names)])
    modules = [sys.modules[name] for name in sorted(names) if name in sys.modules]
    return [one for one in modules if is_author_file(getattr(one, "__file__", None) or "")]


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield all statements, nested ones included. ``ast.walk`` would also visit every expression."""
    for node in body:
        yield node
        for part in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(node, part, []))
        for case in [*getattr(node, "handlers", []), *getattr(node, "cases", [])]:
            yield from _statements(case.body)


def is_user_module(module: ModuleType) -> bool:
    return not Path(str(module.__file__)).resolve().is_relative_to(PACKAGE)


def is_author_file(file: str) -> bool:
    """Whether this is an author's file: a user's, or a built-in game or strategy."""
    path = Path(file).resolve()
    if path.suffix != ".py" or is_generated(file):
        return False
    if path.is_relative_to(PACKAGE):
        return any(path.is_relative_to(folder) for folder in AUTHOR_FOLDERS)
    return not any(path.is_relative_to(library) for library in LIBRARIES)
