"""Opens the SQLite database of a run: creates it, checks that it is an undamaged run of the right kind, upgrades it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from ramify.errors import RamifyError, os_error_text
from ramify.paths import is_file, is_folder, resolved
from ramify.runs.row_digest import NO_DIGESTS, RunDigests
from ramify.runs.run_file import APPLICATION, RunFile, has_our_id
from ramify.runs.salvage.damage import NOT_TEXT, damaged, is_damage, legible, reading
from ramify.runs.salvage.salvaged_rows import holds_rows
from ramify.runs.salvage.write_ahead_log import LeftOut, WriteAheadLog
from ramify.runs.table import DIGEST, RunTable, is_text

SCHEMA = 2  # of new files; 1 has no digests
SET_ENTRY = "INSERT OR REPLACE INTO run VALUES (?, ?)"


def open_readonly(path: Path, table: RunTable) -> sqlite3.Connection:
    """Open a read-only connection. Raise RamifyError unless the file is an undamaged run with this table."""
    if not is_file(path):
        raise RamifyError(f"{path} is a folder" if is_folder(path) else f"there is no file {path}")
    with reading(path):
        try:
            connection = _connect_readonly(path)
            application, schema = (
                connection.execute(f"PRAGMA {n}").fetchone()[0] for n in ("application_id", "user_version")
            )
        except sqlite3.DatabaseError as error:
            if is_damage(error) and not holds_rows(path, table):
                was = "is damaged, and none of its rows can be read" if has_our_id(path) else "is not a run of Ramify"
                raise RamifyError(f"{path} {was}: {error}") from None
            raise
    if application == APPLICATION and 1 <= schema <= SCHEMA:
        try:
            _check_table(path, connection, table)
            _check_pages(path, connection)
            read_description(path, connection)
        except BaseException:
            connection.close()
            raise
        return connection
    connection.close()
    if holds_rows(path, table):
        raise damaged(path, "its header is not that of a run")
    if application != APPLICATION:
        raise RamifyError(f"{path} belongs to another program: choose another file")
    age = "an older" if schema < SCHEMA else "a newer"
    raise RamifyError(
        f"{path} was written by {age} version of Ramify (schema {schema}, this one has {SCHEMA}): choose another file"
    )


def _check_table(path: Path, connection: sqlite3.Connection, table: RunTable) -> None:
    """Raise RamifyError if the run is of another kind."""
    with reading(path):
        found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name != 'run'")
        names = {str(name) for (name,) in found}
    if names and table.name not in names:
        if holds_rows(path, table):
            raise damaged(path, f"it has no table {table.name}")
        raise RamifyError(
            f"{path} holds {', '.join(sorted(names))}, not the {table.name} of {table.command}: choose another file"
        )


def missing_columns(path: Path, connection: sqlite3.Connection, table: RunTable) -> list[str]:
    """Return the table's columns that an older file lacks, in order.

    Raise RamifyError if a column has another name, or another type: SQLite would change the numbers it stores.
    """
    with reading(path):
        there = {str(row[1]): str(row[2]) for row in connection.execute(f"PRAGMA table_info({table.name})")}
    known = {**{name: table.kind(name) for name in table.columns}, DIGEST: "TEXT"}
    missing = [name for name in known if name not in there]
    if there and missing and (there.keys() - known or {*missing} - table.defaults.keys()):
        raise damaged(path, f"its {table.name} have no column {missing[0]}")
    for name, kind in there.items():
        if kind != known.get(name, kind):
            raise damaged(path, f"the column {name} of its {table.name} is not {known[name]}")
    return [name for name in missing if name in table.defaults]


def read_description(path: Path, connection: sqlite3.Connection) -> tuple[str, RunDigests]:
    """Return the text of the description, and the run's digests. Raise RamifyError if the two do not match."""
    with reading(path):
        schema = connection.execute("PRAGMA user_version").fetchone()[0]
        entries: dict[str, object] = dict(connection.execute("SELECT key, value FROM run").fetchall())
    text = entries.get("description")
    if not isinstance(text, str) or not is_text(text):
        raise damaged(path, "its description is missing")
    digests = NO_DIGESTS if schema == 1 and "digest" not in entries else RunDigests.from_entries(entries)
    if digests is None:
        raise damaged(path, "its description does not match its digest")
    return text, digests


def _check_pages(path: Path, connection: sqlite3.Connection) -> None:
    """Raise RamifyError if a page is damaged. Takes 0.01 s for 10 000 games."""
    with reading(path):
        damage = _page_damage(connection)
    if damage:
        raise damaged(path, damage)


def _page_damage(connection: sqlite3.Connection) -> str:
    verdict = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    return "" if verdict == "ok" else legible(" ".join(verdict.replace("*** in database main ***", "").split()))


def sqlite_damage(path: Path) -> str:
    """Return what SQLite finds wrong with a file; empty if nothing."""
    try:
        with closing(_connect_readonly(path)) as connection:
            return _page_damage(connection)
    except sqlite3.Error as error:
        return legible(error)
    except UnicodeDecodeError:
        return NOT_TEXT


def _connect_readonly(path: Path) -> sqlite3.Connection:
    address = resolved(path).as_uri()
    connection = sqlite3.connect(f"{address}?mode=ro", uri=True, isolation_level=None)
    try:
        connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.OperationalError:
        connection.close()
        wal = resolved(path).with_name(resolved(path).name + "-wal")
        if wal.exists() and wal.stat().st_size:
            raise
        # SQLite cannot create its index of the log in a read-only folder. Without a log it needs none.
        connection = sqlite3.connect(f"{address}?immutable=1", uri=True, isolation_level=None)
    return connection


def create(file: RunFile, entries: Mapping[str, str], table: RunTable) -> None:
    draft = file.new_draft()
    try:
        connection = sqlite3.connect(draft, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode = MEMORY")  # leaves no journal file behind
            fill(connection, entries, table)
        finally:
            connection.close()
        file.publish()
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def open_writable(path: Path, table: RunTable) -> tuple[sqlite3.Connection, LeftOut | None]:
    """Open an undamaged file for writing and add what older versions did not store.

    Its log is merged and emptied, so that frames that were left out are reported once. Return them too.
    """
    with closing(open_readonly(path, table)) as reader:
        left_out = frames_left_out(path, reader)
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        (timeout,) = connection.execute("PRAGMA busy_timeout").fetchone()
        connection.execute("PRAGMA busy_timeout = 0")  # readers may keep the log as long as they like
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute(f"PRAGMA busy_timeout = {timeout}")
        connection.executescript("BEGIN IMMEDIATE; COMMIT")  # creates the log
        _upgrade(path, connection, table)
    except BaseException:
        connection.close()
        raise
    return connection, left_out


def frames_left_out(path: Path, connection: sqlite3.Connection) -> LeftOut | None:
    """Return the frames of the log that SQLite leaves out, or None.

    A driver may be writing the log meanwhile, so only what two readings find is returned.
    """
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    found = WriteAheadLog(path, size).left_out()
    return found if found is not None and WriteAheadLog(path, size).left_out() == found else None


def _upgrade(path: Path, connection: sqlite3.Connection, table: RunTable) -> None:
    """Add columns and digests to a file of an older version. Its rows stay without digests."""
    missing = missing_columns(path, connection, table)
    text, digests = read_description(path, connection)
    if not missing and digests is not NO_DIGESTS:
        return
    connection.execute("BEGIN IMMEDIATE")
    for column in missing:
        connection.execute(table.add(column))
    if digests is NO_DIGESTS:
        digests = RunDigests.new(number for (number,) in connection.execute(table.select_numbers))
        connection.executemany(SET_ENTRY, digests.entries(text).items())
    connection.execute(f"PRAGMA user_version = {SCHEMA}")
    connection.execute("COMMIT")


def not_writable(path: Path, error: sqlite3.Error | OSError) -> RamifyError:
    if isinstance(error, OSError):
        return RamifyError(f"cannot write {path}: {os_error_text(error)}")
    return damaged(path, error) if is_damage(error) else RamifyError(f"cannot write {path}: {error}")


def fill(connection: sqlite3.Connection, entries: Mapping[str, str], table: RunTable) -> None:
    connection.executescript(f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SCHEMA}; {table.create}")
    connection.executemany(SET_ENTRY, entries.items())
