"""One SQLite file per run: its description and one row per finished job.

Reports and ``ramify replay`` may read it at any time, even while jobs run. A row is written at most FLUSH_SECONDS after
the driver received it, and then survives a kill (write-ahead log). A power failure may lose the last rows, never the
file.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic
from typing import Any

from ramify.errors import RamifyError, os_error_text
from ramify.paths import is_file, is_folder, resolved
from ramify.runs.jobs import Record
from ramify.runs.row_check import RowCheck, left_out_text, misfit_of
from ramify.runs.row_digest import NO_DIGESTS, RunDigests, digest_of
from ramify.runs.run_file import APPLICATION, RunFile, has_our_id
from ramify.runs.salvage.damage import NOT_TEXT, damaged, is_damage, legible, reading
from ramify.runs.salvage.salvaged_rows import holds_rows
from ramify.runs.table import DIGEST, Misfit, RunTable, is_text

SCHEMA = 2  # of new files; 1 has no digests
FLUSH_SECONDS = 0.5
SQLITE_INTEGERS = range(-(2**63), 2**63)
SET_ENTRY = "INSERT OR REPLACE INTO run VALUES (?, ?)"


class Reader:
    """Read-only access to a run. Rows that do not fit (``row_check.py``) are left out."""

    def __init__(self, path: str | Path, table: RunTable) -> None:
        self.path = Path(path)
        self.table = table
        self._connection = open_readonly(self.path, table)
        try:
            self._begin()
        except BaseException:
            self._connection.close()
            raise

    def _begin(self) -> None:
        self.left_out: dict[int, str] = {}  # what is wrong with rows that were read and left out, by number
        self._undigested: set[int] = set()  # rows without a digest that were read
        self._misfit: Misfit | None = None  # comparison with the plan; made for the first row
        self._missing = _missing_columns(self.path, self._connection, self.table)
        _, self.digests = _description(self.path, self._connection)
        self._connection.text_factory = _decoded

    def _read(self, statement: str, *values: object) -> Iterator[Record]:
        with reading(self.path):
            yield from self._connection.execute(statement, values)

    def description(self) -> dict[str, Any]:
        """Return the run's plan as plain data; empty if a salvaged run has lost it."""
        text, _ = _description(self.path, self._connection)
        try:
            description = json.loads(text)
        except (ValueError, RecursionError):
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
        check = self._check()
        for row in self._read(f"{self.table.select(self._missing)} ORDER BY number"):
            record = self._checked(row, check)
            if record is not None:
                yield record

    def record(self, number: int) -> Record | None:
        """Return the row of a finished job, or None. Raise RamifyError if it does not fit."""
        if number not in SQLITE_INTEGERS:
            return None
        row = next(self._read(f"{self.table.select(self._missing)} WHERE number = ?", number), None)
        record = None if row is None else self._checked(row, self._check())
        if row is not None and (record is None or not self.table.is_valid(record)):
            raise RamifyError(left_out_text(self.path, {number: self.left_out.get(number, "it is invalid")}))
        return record

    def _checked(self, row: Record, check: RowCheck) -> Record | None:
        """Return a row without its digest, or None if it is left out."""
        record, digest = row[:-1], row[-1]
        problem = check.problem(record, digest)
        if problem is not None:
            self.left_out[record[0]] = problem
            return None
        self.left_out.pop(record[0], None)  # a driver may have replaced it
        if digest == "":
            self._undigested.add(record[0])
        return record

    def _check(self) -> RowCheck:
        if self._misfit is None:
            self._misfit = misfit_of(self.table, self.description())
        if self._misfit is None:
            raise damaged(self.path, "its description is invalid")
        return RowCheck(self.table, self.digests, self._misfit)

    def compare(self, misfit: Misfit) -> None:
        """Compare rows with a plan that knows more than the description."""
        self._misfit = misfit

    def numbers(self) -> set[int]:
        """Return the numbers of the finished jobs."""
        return {record[0] for record in self.records()}

    def notes(self) -> list[str]:
        """Return notes on the rows read so far: those left out, and those that cannot be verified."""
        notes = [left_out_text(self.path, self.left_out)] if self.left_out else []
        if self._undigested:
            rows = "1 row was" if len(self._undigested) == 1 else f"{len(self._undigested):,} rows were"
            notes.append(f"{rows} stored by an older version without a digest")
        return notes

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Store(Reader):
    """A run open for writing, by one process at a time. Without a path it is in memory."""

    def __init__(
        self,
        path: str | Path | None,
        description: dict[str, Any],
        table: RunTable,
        digests: RunDigests | None = None,
    ) -> None:
        """``digests``: of a run that is copied to a new file."""
        self.table = table
        self._waiting: list[Record] = []
        self._flushed = monotonic()
        self._file: RunFile | None = None
        self._lost: RamifyError | None = None  # why nothing more can be written
        self._rows = 0  # stored, at least
        entries = (digests or RunDigests.new()).entries(json.dumps(description))
        if path is None:
            self.path = Path(":memory:")
            self._connection = sqlite3.connect(":memory:", isolation_level=None)
            _fill(self._connection, entries, table)
            self._begin()
            return
        self.path = Path(path)
        try:
            self._file = RunFile(self.path)
            if self._file.is_new:
                _create(self._file, entries, table)
            self._connection = _connect(self._file.path, table)
            self._begin()
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
        entries = self.digests.entries(json.dumps(description))
        self._write((SET_ENTRY, list(entries.items())))

    def add(self, records: Sequence[Record]) -> None:
        """Queue rows. They are written together by the first call at least FLUSH_SECONDS after the last flush."""
        self._waiting.extend(records)
        if self._waiting and monotonic() - self._flushed >= FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write the queued rows. They replace rows that were left out."""
        if self._lost is not None:
            raise self._lost
        self._flushed = monotonic()
        self._check_contents()
        if self._waiting:
            self._insert([self._with_digest(record) for record in self._waiting])
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

    def copy(self, rows: Iterable[tuple[Record, str]]) -> None:
        """Write rows of the same run with the digests they have."""
        self._insert([(*record, digest) for record, digest in rows])

    def _with_digest(self, record: Record) -> Record:
        stored = self.table.as_stored(record)
        return (*stored, digest_of(self.digests.run, self.table.name, stored))

    def _insert(self, rows: Sequence[Record]) -> None:
        replaced = [(row[0],) for row in rows if row[0] in self.left_out]
        before = self._connection.total_changes
        self._write((self.table.delete, replaced), (self.table.insert, rows))
        self._rows += self._connection.total_changes - before - 2 * len(replaced)
        for (number,) in replaced:
            self.left_out.pop(number, None)

    def _write(self, *statements: tuple[str, Sequence[Record]]) -> None:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            for statement, rows in statements:
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
            _description(path, connection)
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


def _missing_columns(path: Path, connection: sqlite3.Connection, table: RunTable) -> list[str]:
    """Return the table's columns that an older file lacks, in order. Raise RamifyError if a column has another name."""
    with reading(path):
        there = {str(name) for _, name, *_ in connection.execute(f"PRAGMA table_info({table.name})")}
    known = (*table.columns, DIGEST)
    missing = [name for name in known if name not in there]
    if there and missing and (there - {*known} or {*missing} - table.defaults.keys()):
        raise damaged(path, f"its {table.name} have no column {missing[0]}")
    return [name for name in missing if name in table.defaults]


def _description(path: Path, connection: sqlite3.Connection) -> tuple[str, RunDigests]:
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


def _decoded(data: bytes) -> str:
    """Decode a text. If it is not UTF-8, only its own row is left out."""
    return data.decode(errors="surrogateescape")


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


def _create(file: RunFile, entries: Mapping[str, str], table: RunTable) -> None:
    draft = file.new_draft()
    try:
        connection = sqlite3.connect(draft, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode = MEMORY")  # leaves no journal file behind
            _fill(connection, entries, table)
        finally:
            connection.close()
        file.publish()
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _connect(path: Path, table: RunTable) -> sqlite3.Connection:
    """Open an undamaged file for writing and add what older versions did not store."""
    open_readonly(path, table).close()
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript("BEGIN IMMEDIATE; COMMIT")  # creates the log
        _upgrade(path, connection, table)
    except BaseException:
        connection.close()
        raise
    return connection


def _upgrade(path: Path, connection: sqlite3.Connection, table: RunTable) -> None:
    """Add columns and digests to a file of an older version. Its rows stay without digests."""
    missing = _missing_columns(path, connection, table)
    text, digests = _description(path, connection)
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


def _not_writable(path: Path, error: sqlite3.Error | OSError) -> RamifyError:
    if isinstance(error, OSError):
        return RamifyError(f"cannot write {path}: {os_error_text(error)}")
    return damaged(path, error) if is_damage(error) else RamifyError(f"cannot write {path}: {error}")


def _fill(connection: sqlite3.Connection, entries: Mapping[str, str], table: RunTable) -> None:
    connection.executescript(f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SCHEMA}; {table.create}")
    connection.executemany(SET_ENTRY, entries.items())
