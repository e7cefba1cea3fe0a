"""A damaged run in one sentence, and what to do about it."""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ramify.errors import RamifyError

# Errors of SQLite that say nothing about the file: somebody else holds it, or the system does not give it to us.
NOT_DAMAGE = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR}
NOT_DAMAGE |= {sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_NOMEM}


def damaged(path: Path, why: object) -> RamifyError:
    """The error for a file that was a run once."""
    salvage = f"ramify report {shlex.quote(str(path))} --salvage NEW.db"
    return RamifyError(f"{path} is damaged ({why}); `{salvage}` copies what can still be read to a new file")


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error says that the file is damaged."""
    code = getattr(error, "sqlite_errorcode", None)  # none where a text has bytes that are no UTF-8
    return code is None or code == sqlite3.SQLITE_IOERR_SHORT_READ or code & 0xFF not in NOT_DAMAGE


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Whatever SQLite cannot read in the block becomes a sentence."""
    try:
        yield
    except sqlite3.Error as error:
        if is_damage(error):
            raise damaged(path, error) from None
        raise RamifyError(f"{path} cannot be read: {error}") from None
