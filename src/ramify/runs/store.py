"""One SQLite file a run: what was asked for, and a row for each finished job.

Readers (reports, ``ramify replay``) may look at any time, also while jobs are done. A row is on its way to the disk
at most FLUSH_SECONDS after the driver got it and safe from any kill once it is there (write-ahead log; a power cut may
take the last rows, never the file).
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
from ramify.runs.lock import Lock
from ramify.runs.salvage.damage import damaged, is_damage, reading
from ramify.runs.salvage.salvaged_rows import holds_rows
from ramify.runs.table import RunTable

APPLICATION = 0x52414D49  # "RAMI", in the header of our files
SCHEMA = 1
FLUSH_SECONDS = 0.5


class Reader:
    """A run to look at; nothing is written."""

    def __init__(self, path: str | Path, table: RunTable) -> None:
        self.path = Path(path)
        self.table = table
        self._sound = False  # whether all rows were looked at
        self._connection = open_readonly(self.path, table)
        with reading(self.path):
            self._missing = _missing_columns(self._connection, table)

    def _read(self, statement: str, *values: object) -> Iterator[Record]:
        with reading(self.path):
            yield from self._connection.execute(statement, values)

    def description(self) -> dict[str, Any]:
        """What was asked for, as plain data; empty where a salvaged run has lost it."""
        found = next(self._read("SELECT value FROM run WHERE key = 'description'"), None)
        try:
            description = json.loads(found[0]) if found else None
        except (ValueError, TypeError):
            description = None
        if not isinstance(description, dict):
            raise damaged(self.path, "it does not say any more what was asked for")
        return description

    def full_description(self) -> dict[str, Any]:
        """What was asked for, all of it."""
        description = self.description()
        if not description:
            raise RamifyError(f"{self.path} was salvaged without what was asked for; its own command adds that")
        if not self.table.is_complete(description):
            raise damaged(self.path, "it does not say any more all that was asked for")
        return description

    def records(self) -> Iterator[Record]:
        """The finished jobs in the order of their numbers."""
        for record in self._read(f"{self.table.select(self._missing)} ORDER BY number"):
            if not self._sound:
                self._check(record)
            yield record
        self._sound = True

    def record(self, number: int) -> Record | None:
        """The finished job of that number."""
        found = next(self._read(f"{self.table.select(self._missing)} WHERE number = ?", number), None)
        if found is not None:
            self._check(found)
        return found

    def _check(self, record: Record) -> None:
        if not self.table.is_valid(record):
            raise damaged(self.path, f"row {record[0]} of its {self.table.name} makes no sense")

    def numbers(self) -> set[int]:
        """Numbers of the finished jobs."""
        return {number for (number,) in self._read(self.table.select_numbers)}

    def first_of_each(self, column: str, *others: str) -> Iterator[Record]:
        """The distinct values of a column, each with those of other columns in one of its rows."""
        chosen = ", ".join((column, *others))
        return self._read(f"SELECT {chosen} FROM {self.table.name} GROUP BY {column}")  # noqa: S608

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Store(Reader):
    """A run to add jobs to; only one process can hold it. Without a path it lives in memory."""

    def __init__(self, path: str | Path | None, description: dict[str, Any], table: RunTable) -> None:
        self.table = table
        self._waiting: list[Record] = []
        self._flushed = monotonic()
        self._lock: Lock | None = None
        self._sound = path is None
        self._missing: list[str] = []
        if path is None:
            self.path = Path(":memory:")
            self._connection = sqlite3.connect(":memory:", isolation_level=None)
            _fill(self._connection, description, table)
            return
        self.path = Path(path)
        _check_place(self.path)
        self._lock = Lock(self.path)
        try:
            if not self.path.exists() or self.path.stat().st_size == 0:
                _create(self.path, description, table)
                self._sound = True
            self._connection = _connect(self.path, table)
        except BaseException as error:
            self._lock.release()
            if isinstance(error, sqlite3.Error | OSError):
                raise _not_writable(self.path, error) from None
            raise

    @property
    def name(self) -> str | None:
        """The path of its file; None where it lives in memory."""
        return None if self.path == Path(":memory:") else str(self.path)

    def describe(self, description: dict[str, Any]) -> None:
        """Replace what was asked for, as when more jobs are added."""
        self._write("UPDATE run SET value = ? WHERE key = 'description'", [(json.dumps(description),)])

    def add(self, records: Sequence[Record]) -> None:
        """Keep finished jobs; they are written together, at most FLUSH_SECONDS later if this is called that often."""
        self._waiting.extend(records)
        if self._waiting and monotonic() - self._flushed >= FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what is waiting."""
        self._flushed = monotonic()
        if self._waiting:
            self._write(self.table.insert, self._waiting)
            self._waiting = []

    def _write(self, statement: str, rows: Iterable[Record]) -> None:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(statement, rows)
            self._connection.execute("COMMIT")
        except BaseException as error:  # Ctrl-C as well: what is waiting stays so, and may be written again
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            if not isinstance(error, sqlite3.Error):
                raise
            if is_damage(error):
                raise damaged(self.path, error) from None
            raise RamifyError(
                f"{self.path} cannot be written: {error}; what was stored before is safe,"
                " and the same command goes on from it"
            ) from None

    def close(self) -> None:
        """Write what is waiting and let others in."""
        try:
            self.flush()
        finally:
            with suppress(sqlite3.Error):  # one file that can be copied and read anywhere, if nobody is reading now
                self._connection.execute("PRAGMA busy_timeout = 0")
                self._connection.execute("PRAGMA journal_mode = DELETE")
            self._connection.close()
            if self._lock is not None:
                self._lock.release()
                self._lock = None


def open_readonly(path: Path, table: RunTable, *, whole: bool = False) -> sqlite3.Connection:
    """A connection that cannot write, to a file that is certainly one of ours; ``whole``: and undamaged throughout."""
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
                was = "is damaged, and no row of it can be read" if _says_ours(path) else "is not a run of Ramify"
                raise RamifyError(f"{path} {was}: {error}") from None
            raise
    if (application, schema) == (APPLICATION, SCHEMA):
        try:
            _check_table(path, connection, table)
            if whole:
                _check_pages(path, connection)
        except BaseException:
            connection.close()
            raise
        return connection
    connection.close()
    if application != APPLICATION:
        if holds_rows(path, table):
            raise damaged(path, "its header is not that of a run")
        raise RamifyError(f"{path} belongs to another program; choose another file for the run")
    age = "an older" if schema < SCHEMA else "a newer"
    raise RamifyError(
        f"{path} was written by {age} version of Ramify (schema {schema}, this one has {SCHEMA}); choose another file"
    )


def _check_table(path: Path, connection: sqlite3.Connection, table: RunTable) -> None:
    """Refuse a run of another kind."""
    with reading(path):
        found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name != 'run'")
        names = {name for (name,) in found}
    if names and table.name not in names:
        raise RamifyError(
            f"{path} holds {', '.join(sorted(names))}, not the {table.name} of {table.command}; choose another file"
        )


def _missing_columns(connection: sqlite3.Connection, table: RunTable) -> list[str]:
    """The columns that were added to the table since the file was made, in their order."""
    if not table.added:
        return []
    there = {name for _, name, *_ in connection.execute(f"PRAGMA table_info({table.name})")}
    return [name for name in table.added if name not in there]


def _check_pages(path: Path, connection: sqlite3.Connection) -> None:
    """Refuse a file with a damaged page; 10 000 games take 0.01 s."""
    with reading(path):
        said = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if said != "ok":
        raise damaged(path, " ".join(str(said).replace("*** in database main ***", "").split()))


def _says_ours(path: Path) -> bool:
    """Whether the header of a file that SQLite cannot read has our mark, which stands at byte 68 of such files."""
    with path.open("rb") as file:
        return file.read(72)[68:] == APPLICATION.to_bytes(4, "big")


def _connect_readonly(path: Path) -> sqlite3.Connection:
    address = path.resolve().as_uri()
    connection = sqlite3.connect(f"{address}?mode=ro", uri=True, isolation_level=None)
    try:
        connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.OperationalError:
        connection.close()
        wal = path.with_name(path.name + "-wal")
        if wal.exists() and wal.stat().st_size:
            raise
        # In a folder that cannot be written SQLite cannot make the files beside the log; without a log it needs none.
        connection = sqlite3.connect(f"{address}?immutable=1", uri=True, isolation_level=None)
    return connection


def _check_place(path: Path) -> None:
    if path.is_dir():
        raise RamifyError(f"{path} is a folder; name a file for the run")
    if not path.parent.is_dir():
        raise RamifyError(f"there is no folder {path.parent} for the run {path.name}")


def _create(path: Path, description: dict[str, Any], table: RunTable) -> None:
    """Make the whole file under another name first: it appears complete or not at all."""
    log = path.with_name(path.name + "-wal")
    if log.exists():  # SQLite would write this log into the new file
        raise RamifyError(f"{log} is there without its run {path.name}; move both together, or delete it")
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    try:
        connection = sqlite3.connect(draft, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode = MEMORY")  # no file beside it that could be left behind
            _fill(connection, description, table)
        finally:
            connection.close()
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _connect(path: Path, table: RunTable) -> sqlite3.Connection:
    """To a file that is whole, with all columns of its table."""
    open_readonly(path, table, whole=True).close()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    for column in _missing_columns(connection, table):
        connection.execute(table.add(column))
    return connection


def _not_writable(path: Path, error: sqlite3.Error | OSError) -> RamifyError:
    if isinstance(error, OSError):
        return RamifyError(f"{path} cannot be written: {os_error_text(error)}")
    return damaged(path, error) if is_damage(error) else RamifyError(f"{path} cannot be written: {error}")


def _fill(connection: sqlite3.Connection, description: dict[str, Any], table: RunTable) -> None:
    connection.executescript(f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SCHEMA}; {table.create}")
    connection.execute("INSERT INTO run VALUES ('description', ?)", (json.dumps(description),))
