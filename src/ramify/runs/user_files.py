"""Users' files named in the texts of games and agents, and digests that show whether they have changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from ramify.contract.registry import import_file, is_path
from ramify.core.kernels.disk_cache import PACKAGE
from ramify.core.kernels.source_digest import imported_author_modules
from ramify.grammar import Call, parse
from ramify.paths import is_file


def files_of(text: str) -> list[str]:
    """Return the users' files that the text of a game or an agent names."""
    return [name for name in named_files(text) if is_file(name)]


def named_files(text: str) -> list[str]:
    """Return the paths of Python files that the text of a game or an agent names, whether they exist or not."""
    return [name for name in _names(text) if is_path(name)]


def _names(text: str) -> Iterator[str]:
    """Yield every name in a text, without the part of ``./mine.py:rule`` after the colon."""
    prefix, _, rest = text.partition(":")
    if rest and prefix.isidentifier():  # games of bridges have their own grammar
        return
    waiting: list[object] = [parse(text)]
    while waiting:
        call = waiting.pop()
        if isinstance(call, Call):
            yield call.name.partition(":")[0]
            waiting += [value for _, value in call.arguments]


def short_digest(content: str | bytes) -> str:
    """Return the first twelve hexadecimal digits of the SHA-256 digest."""
    return hashlib.sha256(content if isinstance(content, bytes) else content.encode()).hexdigest()[:12]


def file_digest(name: str) -> str:
    """Return the digest of a file; empty if it does not exist."""
    path = Path(name)
    return short_digest(path.read_bytes()) if is_file(path) else ""


def user_files(texts: Iterable[str], *others: str) -> list[str]:
    """Return the users' files that texts name, the ``others``, and the files that all these import."""
    named = sorted({name for text in texts for name in files_of(text)} | set(others))
    return list(dict.fromkeys([*named, *(one for name in named for one in _imports(name))]))


def _imports(name: str) -> Iterator[str]:
    """Yield the users' files that a file imports; those in its folder get a path like its own."""
    own = Path(name).expanduser().resolve()
    for module in imported_author_modules(import_file(name))[1:]:
        path = Path(str(module.__file__)).resolve()
        if not path.is_relative_to(PACKAGE) and path != own:
            yield str(Path(name).parent / path.name if path.parent == own.parent else path)
