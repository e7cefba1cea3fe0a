"""Errors for damaged runs."""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ramify.errors import RamifyError

# SQLite errors that are not about the file's contents: it is locked, or the system denies access.
NOT_DAMAGE = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR}
NOT_DAMAGE |= {sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_NOMEM}
NOT_TEXT = "its schema is not text"
MAX_REASON = 120  # characters


def damaged(path: Path, why: object) -> RamifyError:
    """Return the error for a damaged run, with the command that salvages it."""
    salvage = f"ramify report {shlex.quote(str(path))} --salvage NEW.db"
    return RamifyError(f"{path} is damaged ({legible(why)}); `{salvage}` copies what can still be read to a new file")


def legible(why: object) -> str:
    """Return a reason on one short line; SQLite quotes the file, whatever it contains."""
    text = "".join(sign if sign.isprintable() else "?" for sign in str(why))
    return text if len(text) <= MAX_REASON else f"{text[:MAX_REASON]}..."


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether an SQLite error means that the file is damaged."""
    code = getattr(error, "sqlite_errorcode", None)  # missing for texts that are not UTF-8
    return code is None or code == sqlite3.SQLITE_IOERR_SHORT_READ or code & 0xFF not in NOT_DAMAGE


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn SQLite errors of the block into RamifyError."""
    try:
        yield
    except sqlite3.Error as error:
        if is_damage(error):
            raise damaged(path, error) from None
        raise RamifyError(f"cannot read {path}: {error}") from None
    except UnicodeDecodeError:  # in a message of SQLite that quotes the file
        raise damaged(path, NOT_TEXT) from None
