"""Which files of users' have passed their first trial: remembered on disk, beside their machine code."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from types import ModuleType

from ramify.core.kernels import source_digest
from ramify.core.kernels.disk_cache import folder_for

_KNOWN: set[Path] = set()
_ONE_AT_A_TIME = RLock()


def forget() -> None:
    """Ask the disk again, as another process would."""
    _KNOWN.clear()


@contextmanager
def on_first_use(module: ModuleType, *about: str) -> Iterator[bool]:
    """Whether this is the first time that something of a user's file is used, with the text that the file has now.

    When the block ends without an exception it has passed. Inside, the same question is answered with no.
    """
    digest = hashlib.sha256(" ".join([source_digest.digest(module), *about]).encode()).hexdigest()[:16]
    mark = folder_for(str(module.__file__)) / f"{Path(str(module.__file__)).stem}_{digest}.passed"
    with _ONE_AT_A_TIME:
        if mark in _KNOWN or mark.is_file():
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
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.touch()
