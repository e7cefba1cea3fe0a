"""Files of the user's that descriptions of games and agents name, and digests to tell whether they have changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from ramify.contract.registry import import_file, is_path
from ramify.core.kernels.disk_cache import PACKAGE
from ramify.core.kernels.source_digest import imported_author_modules
from ramify.grammar import Call, parse


def files_of(text: str) -> list[str]:
    """The user's files that a description of a game or an agent names."""
    return [name for name in _names(text) if is_path(name) and Path(name).is_file()]


def _names(text: str) -> Iterator[str]:
    """Every name in a description, without the part of ``./mine.py:rule`` after the colon."""
    prefix, _, rest = text.partition(":")
    if rest and prefix.isidentifier():  # a bridge's game has a grammar of its own
        return
    waiting: list[object] = [parse(text)]
    while waiting:
        call = waiting.pop()
        if isinstance(call, Call):
            yield call.name.partition(":")[0]
            waiting += [value for _, value in call.arguments]


def short_digest(content: str | bytes) -> str:
    """Twelve hexadecimal digits that stand for a content."""
    return hashlib.sha256(content if isinstance(content, bytes) else content.encode()).hexdigest()[:12]


def file_digest(name: str) -> str:
    """The digest of a file; empty where there is none."""
    path = Path(name)
    return short_digest(path.read_bytes()) if path.is_file() else ""


def user_files(texts: Iterable[str], *others: str) -> list[str]:
    """All files of the user's that descriptions name, some others, and those that all these import."""
    named = sorted({name for text in texts for name in files_of(text)} | set(others))
    return list(dict.fromkeys([*named, *(one for name in named for one in _neighbours(name))]))


def _neighbours(name: str) -> Iterator[str]:
    """The user's files that a file imports; those beside it are named as it is."""
    own = Path(name).expanduser().resolve()
    for module in imported_author_modules(import_file(name))[1:]:
        path = Path(str(module.__file__)).resolve()
        if not path.is_relative_to(PACKAGE) and path != own:
            yield str(Path(name).parent / path.name if path.parent == own.parent else path)
