"""A lock between the processes of matches: only one of them builds a propnet at a time."""

from __future__ import annotations

import fcntl
import os
import tempfile


class GroundingLock:
    """Inherited by all processes of matches. The system releases it when the process that holds it ends."""

    def __init__(self) -> None:
        with tempfile.TemporaryFile() as file:
            self._file = os.dup(file.fileno())  # open until the process ends

    def __enter__(self) -> None:
        fcntl.lockf(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        fcntl.lockf(self._file, fcntl.LOCK_UN)
