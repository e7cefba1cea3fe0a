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

from ramify.errors import RamifyError
from ramify.runs.jobs import Record
from ramify.runs.row_check import RowCheck, left_out_text, misfit_of
from ramify.runs.row_digest import RunDigests, digest_of
from ramify.runs.run_database import (
    SET_ENTRY,
    create,
    fill,
    frames_left_out,
    missing_columns,
    not_writable,
    open_readonly,
    open_writable,
    read_description,
)
from ramify.runs.run_file import RunFile
from ramify.runs.salvage.damage import damaged, is_damage, reading
from ramify.runs.salvage.write_ahead_log import LeftOut
from ramify.runs.table import Misfit, RunTable

FLUSH_SECONDS = 0.5
SQLITE_INTEGERS = range(-(2**63), 2**63)


class Reader:
    """Read-only access to a run. Rows that do not fit (``row_check.py``) are left out."""

    def __init__(self, path: str | Path, table: RunTable) -> None:
        self.path = Path(path)
        self.table = table
        self._connection = open_readonly(self.path, table)
        try:
            self._begin(frames_left_out(self.path, self._connection))
        except BaseException:
            self._connection.close()
            raise

    def _begin(self, left_out_frames: LeftOut | None = None) -> None:
        self.left_out_frames = left_out_frames  # of the log
        self.left_out: dict[int, str] = {}  # what is wrong with rows that were read and left out, by number
        self._undigested: set[int] = set()  # rows without a digest that were read
        self._misfit: Misfit | None = None  # comparison with the plan; made for the first row
        self._missing = missing_columns(self.path, self._connection, self.table)
        _, self.digests = read_description(self.path, self._connection)
        self._connection.text_factory = _decoded

    def _read(self, statement: str, *values: object) -> Iterator[Record]:
        with reading(self.path):
            yield from self._connection.execute(statement, values)

    def description(self) -> dict[str, Any]:
        """Return the run's plan as plain data; empty if a salvaged run has lost it."""
        text, _ = read_description(self.path, self._connection)
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
        """Return notes on the log and on the rows read so far: what is left out, and what cannot be verified."""
        notes = [] if self.left_out_frames is None else [str(self.left_out_frames)]
        notes += [left_out_text(self.path, self.left_out)] if self.left_out else []
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
            fill(self._connection, entries, table)
            self._begin()
            return
        self.path = Path(path)
        try:
            self._file = RunFile(self.path)
            if self._file.is_new:
                create(self._file, entries, table)
            self._connection, left_out_frames = open_writable(self._file.path, table)
            self._begin(left_out_frames)
            self._rows = self._count_rows()
            self._file.opened()
        except BaseException as error:
            if self._file is not None:
                self._file.release()
            if isinstance(error, sqlite3.Error | OSError):
                raise not_writable(self.path, error) from None
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
        self.left_out_frames = None  # their rows are being computed again

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


def _decoded(data: bytes) -> str:
    """Decode a text. If it is not UTF-8, only its own row is left out."""
    return data.decode(errors="surrogateescape")
