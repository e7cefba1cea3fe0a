"""Files of the user's that descriptions of games and agents name, and digests to tell whether they have changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from ramify.contract.registry import is_path
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


def digests_of(texts: Iterable[str]) -> dict[str, str]:
    """The digests of all files that descriptions name, by name."""
    return {name: file_digest(name) for name in sorted({name for text in texts for name in files_of(text)})}
