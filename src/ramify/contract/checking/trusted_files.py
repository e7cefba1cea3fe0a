"""Users' files that have passed their precheck, recorded on disk next to their machine code."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from types import ModuleType

from ramify.core.kernels import checked_files, source_digest
from ramify.core.kernels.disk_cache import folder_for

_KNOWN: set[Path] = set()
_ONE_AT_A_TIME = RLock()


def clear() -> None:
    """Clear the in-memory record; the one on disk stays."""
    _KNOWN.clear()


@contextmanager
def on_first_use(module: ModuleType, *about: str) -> Iterator[bool]:
    """Yield whether a user's file, with its current text, is used for the first time.

    If the block ends without an exception the file has passed. Nested uses within the block yield False.
    """
    digest = hashlib.sha256(" ".join([source_digest.digest(module), *about]).encode()).hexdigest()[:16]
    mark = folder_for(str(module.__file__)) / f"{Path(str(module.__file__)).stem[:40]}_{digest}.passed"
    with _ONE_AT_A_TIME:
        purpose = "/".join(mark.parts[-3:])
        if mark in _KNOWN or checked_files.read(mark, purpose) is not None:
            _KNOWN.add(mark)
            yield False
            return
        _KNOWN.add(mark)
        try:
            yield True
        except BaseException:
            _KNOWN.discard(mark)
            raise
        with suppress(OSError):
            checked_files.write(mark, purpose, b"")
