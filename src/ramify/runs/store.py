"""One SQLite file per run: its description and one row per finished job.

Reports and ``ramify replay`` may read it at any time, even while jobs run. A row is written at most FLUSH_SECONDS after
the driver received it, and then survives a kill (write-ahead log). A power failure may lose the last rows, never the
file.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

from ramify.errors import RamifyError, os_error_text
from ramify.runs.jobs import Record
from ramify.runs.run_file import APPLICATION, RunFile, has_our_id
from ramify.runs.salvage.damage import damaged, is_damage, reading
from ramify.runs.salvage.salvaged_rows import holds_rows
from ramify.runs.table import RunTable

SCHEMA = 1
FLUSH_SECONDS = 0.5


class Reader:
    """Read-only access to a run."""

    def __init__(self, path: str | Path, table: RunTable) -> None:
        self.path = Path(path)
        self.table = table
        self._checked = False  # whether all rows have been validated
        self._connection = open_readonly(self.path, table)
        with reading(self.path):
            self._missing = _missing_columns(self._connection, table)

    def _read(self, statement: str, *values: object) -> Iterator[Record]:
        with reading(self.path):
            yield from self._connection.execute(statement, values)

    def description(self) -> dict[str, Any]:
        """Return the run's plan as plain data; empty if a salvaged run has lost it."""
        found = next(self._read("SELECT value FROM run WHERE key = 'description'"), None)
        try:
            description = json.loads(found[0]) if found else None
        except (ValueError, TypeError):
            description = None
        if not isinstance(description, dict):
            raise damaged(self.path, "its description is missing")
        return description

    def full_description(self) -> dict[str, Any]:
        """Return the description. Raise RamifyError if it is missing or incomplete."""
        description = self.description()
        if not description:
            raise RamifyError(
                f"{self.path} was salvaged without its description: resume it with its own command, which adds it"
            )
        if not self.table.is_complete(description):
            raise damaged(self.path, "its description is incomplete")
        return description

    def records(self) -> Iterator[Record]:
        """Yield the rows of finished jobs by number."""
        for record in self._read(f"{self.table.select(self._missing)} ORDER BY number"):
            if not self._checked:
                self._check(record)
            yield record
        self._checked = True

    def record(self, number: int) -> Record | None:
        """Return the row of a finished job, or None."""
        found = next(self._read(f"{self.table.select(self._missing)} WHERE number = ?", number), None)
        if found is not None:
            self._check(found)
        return found

    def _check(self, record: Record) -> None:
        if not self.table.is_valid(record):
            raise damaged(self.path, f"row {record[0]} of its {self.table.name} is invalid")

    def numbers(self) -> set[int]:
        """Return the numbers of the finished jobs."""
        return {number for (number,) in self._read(self.table.select_numbers)}

    def first_of_each(self, column: str, *others: str) -> Iterator[Record]:
        """Yield each distinct value of a column with the other columns of one of its rows."""
        chosen = ", ".join((column, *others))
        return self._read(f"SELECT {chosen} FROM {self.table.name} GROUP BY {column}")  # noqa: S608

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Store(Reader):
    """A run open for writing, by one process at a time. Without a path it is in memory."""

    def __init__(self, path: str | Path | None, description: dict[str, Any], table: RunTable) -> None:
        self.table = table
        self._waiting: list[Record] = []
        self._flushed = monotonic()
        self._file: RunFile | None = None
        self._lost: RamifyError | None = None  # why nothing more can be written
        self._rows = 0  # stored, at least
        self._checked = path is None
        self._missing: list[str] = []
        if path is None:
            self.path = Path(":memory:")
            self._connection = sqlite3.connect(":memory:", isolation_level=None)
            _fill(self._connection, description, table)
            return
        self.path = Path(path)
        try:
            self._file = RunFile(self.path)
            if self._file.is_new:
                _create(self._file, description, table)
                self._checked = True
            self._connection = _connect(self._file.path, table)
            self._rows = self._count_rows()
            self._file.opened()
        except BaseException as error:
            if self._file is not None:
                self._file.release()
            if isinstance(error, sqlite3.Error | OSError):
                raise _not_writable(self.path, error) from None
            raise

    @property
    def name(self) -> str | None:
        """Path of the file, or None if the run is in memory."""
        return None if self._file is None else str(self.path)

    def describe(self, description: dict[str, Any]) -> None:
        """Replace the description, e.g. when jobs are added."""
        self._write("UPDATE run SET value = ? WHERE key = 'description'", [(json.dumps(description),)])

    def add(self, records: Sequence[Record]) -> None:
        """Queue rows. They are written together by the first call at least FLUSH_SECONDS after the last flush."""
        self._waiting.extend(records)
        if self._waiting and monotonic() - self._flushed >= FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write the queued rows."""
        if self._lost is not None:
            raise self._lost
        self._flushed = monotonic()
        self._check_contents()
        if self._waiting:
            before = self._connection.total_changes
            self._write(self.table.insert, self._waiting)
            self._rows += self._connection.total_changes - before
            self._waiting = []
        self._check_in_place()

    def _check_in_place(self) -> None:
        """Raise RamifyError if the file was deleted, moved or replaced; its rows are copied to a new file."""
        if self._file is not None and (happened := self._file.loss()):
            self._lost = self._file.rescue(self._connection, happened, self._rows)
            raise self._lost

    def _count_rows(self) -> int:
        return int(self._connection.execute(f"SELECT count(*) FROM {self.table.name}").fetchone()[0])  # noqa: S608

    def _check_contents(self) -> None:
        """Raise RamifyError if another program has changed the file and it is damaged now."""
        if self._file is not None and self._file.was_changed:
            with reading(self.path):
                self._connection.execute("PRAGMA shrink_memory")  # read the pages again
                verdict = self._connection.execute("PRAGMA quick_check(1)").fetchone()[0]
                count = self._count_rows()
            if verdict != "ok" or count < self._rows:
                raise damaged(self.path, "another program has overwritten it")

    def _write(self, statement: str, rows: Iterable[Record]) -> None:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(statement, rows)
            self._connection.execute("COMMIT")
            if self._file is not None:
                self._file.written()
        except BaseException as error:  # including Ctrl-C: the rows stay queued
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            if not isinstance(error, sqlite3.Error):
                raise
            if is_damage(error):
                raise damaged(self.path, error) from None
            raise RamifyError(
                f"cannot write {self.path}: {error}; stored rows are safe, and the same command resumes"
            ) from None

    def close(self) -> None:
        """Write the queued rows, close the file and unlock it."""
        try:
            if self._lost is None:
                self.flush()
        finally:
            with suppress(sqlite3.Error):  # leaves a single file that can be copied, unless there are readers
                self._connection.execute("PRAGMA busy_timeout = 0")
                self._connection.execute("PRAGMA journal_mode = DELETE")
            self._connection.close()
            if self._file is not None:
                if self._lost is not None:
                    self._file.remove_logs()
                self._file.release()


def open_readonly(path: Path, table: RunTable, *, check_pages: bool = False) -> sqlite3.Connection:
    """Open a read-only connection. Raise RamifyError unless the file is a run with this table.

    ``check_pages``: also raise if any page is damaged.
    """
    if not path.is_file():
        raise RamifyError(f"{path} is a folder" if path.is_dir() else f"there is no file {path}")
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
    if (application, schema) == (APPLICATION, SCHEMA):
        try:
            _check_table(path, connection, table)
            if check_pages:
                _check_pages(path, connection)
        except BaseException:
            connection.close()
            raise
        return connection
    connection.close()
    if application != APPLICATION:
        if holds_rows(path, table):
            raise damaged(path, "its header is not that of a run")
        raise RamifyError(f"{path} belongs to another program: choose another file")
    age = "an older" if schema < SCHEMA else "a newer"
    raise RamifyError(
        f"{path} was written by {age} version of Ramify (schema {schema}, this one has {SCHEMA}): choose another file"
    )


def _check_table(path: Path, connection: sqlite3.Connection, table: RunTable) -> None:
    """Raise RamifyError if the run is of another kind."""
    with reading(path):
        found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name != 'run'")
        names = {name for (name,) in found}
    if names and table.name not in names:
        raise RamifyError(
            f"{path} holds {', '.join(sorted(names))}, not the {table.name} of {table.command}: choose another file"
        )


def _missing_columns(connection: sqlite3.Connection, table: RunTable) -> list[str]:
    """Return the table's columns that an older file lacks, in order."""
    if not table.added:
        return []
    there = {name for _, name, *_ in connection.execute(f"PRAGMA table_info({table.name})")}
    return [name for name in table.added if name not in there]


def _check_pages(path: Path, connection: sqlite3.Connection) -> None:
    """Raise RamifyError if a page is damaged. Takes 0.01 s for 10 000 games."""
    with reading(path):
        verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        raise damaged(path, " ".join(str(verdict).replace("*** in database main ***", "").split()))


def _connect_readonly(path: Path) -> sqlite3.Connection:
    address = path.resolve().as_uri()
    connection = sqlite3.connect(f"{address}?mode=ro", uri=True, isolation_level=None)
    try:
        connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.OperationalError:
        connection.close()
        wal = path.resolve().with_name(path.resolve().name + "-wal")
        if wal.exists() and wal.stat().st_size:
            raise
        # SQLite cannot create its index of the log in a read-only folder. Without a log it needs none.
        connection = sqlite3.connect(f"{address}?immutable=1", uri=True, isolation_level=None)
    return connection


def _create(file: RunFile, description: dict[str, Any], table: RunTable) -> None:
    draft = file.new_draft()
    try:
        connection = sqlite3.connect(draft, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode = MEMORY")  # leaves no journal file behind
            _fill(connection, description, table)
        finally:
            connection.close()
        file.publish()
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _connect(path: Path, table: RunTable) -> sqlite3.Connection:
    """Open an undamaged file for writing and add missing columns."""
    open_readonly(path, table, check_pages=True).close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.executescript("BEGIN IMMEDIATE; COMMIT")  # creates the log
    for column in _missing_columns(connection, table):
        connection.execute(table.add(column))
    return connection


def _not_writable(path: Path, error: sqlite3.Error | OSError) -> RamifyError:
    if isinstance(error, OSError):
        return RamifyError(f"cannot write {path}: {os_error_text(error)}")
    return damaged(path, error) if is_damage(error) else RamifyError(f"cannot write {path}: {error}")


def _fill(connection: sqlite3.Connection, description: dict[str, Any], table: RunTable) -> None:
    connection.executescript(f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SCHEMA}; {table.create}")
    connection.execute("INSERT INTO run VALUES ('description', ?)", (json.dumps(description),))
