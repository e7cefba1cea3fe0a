"""The contents of a run file: columns of its rows, validity of rows, and keys of its description."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ramify.runs.jobs import Record

Misfit = Callable[[Record], str | None]  # why a row is not one of a plan, or None
DIGEST = "row_digest"  # the last column of every table (``row_digest.py``); rows in memory do not have it
TYPES: Mapping[str, tuple[type, ...]] = {"INTEGER": (int,), "REAL": (int, float), "TEXT": (str,)}


@dataclass(frozen=True)
class RunTable:
    """A table whose first column is the number of the row's job."""

    name: str
    columns: tuple[str, ...]
    kinds: Mapping[str, str]  # SQLite types of columns that are not INTEGER
    command: str  # the command that writes it, for messages
    required_keys: tuple[str, ...] = ()  # of every description
    is_plausible: Callable[[Record], bool] = lambda _: True  # of a row with the right types; may raise
    added: Mapping[str, str] = field(default_factory=dict)  # text columns that old files lack, with their defaults
    extendable_keys: tuple[str, ...] = ()  # of the description, which a later session may change
    misfit_of: Callable[[Mapping[str, Any]], Misfit] = lambda _: lambda _: None  # of a description; may raise

    def kind(self, column: str) -> str:
        """Return the SQLite type of a column."""
        return self.kinds.get(column, "INTEGER")

    @property
    def create(self) -> str:
        """Statement that creates the tables of a file."""
        columns = ", ".join(f"{name} {self.kind(name)} NOT NULL" for name in self.columns)
        return (
            "CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
            f" CREATE TABLE {self.name} ({columns}, {DIGEST} TEXT NOT NULL, PRIMARY KEY ({self.columns[0]}));"
        )

    @property
    def insert(self) -> str:
        """Statement that inserts a row and its digest unless its number exists."""
        return f"INSERT OR IGNORE INTO {self.name} VALUES ({', '.join('?' * (len(self.columns) + 1))})"  # noqa: S608

    @property
    def delete(self) -> str:
        """Statement that deletes the row with a number."""
        return f"DELETE FROM {self.name} WHERE {self.columns[0]} = ?"  # noqa: S608

    @property
    def defaults(self) -> dict[str, str]:
        """Columns that files of older versions lack, in order, with their values there."""
        return {**self.added, DIGEST: ""}

    def select(self, missing: Collection[str] = ()) -> str:
        """Return the statement that reads rows and their digests; ``missing``: columns that the file lacks."""
        columns = (f"'{self.defaults[name]}'" if name in missing else name for name in (*self.columns, DIGEST))
        return f"SELECT {', '.join(columns)} FROM {self.name}"  # noqa: S608

    def add(self, column: str) -> str:
        """Return the statement that adds a column to an old file."""
        return f"ALTER TABLE {self.name} ADD COLUMN {column} TEXT NOT NULL DEFAULT '{self.defaults[column]}'"

    @property
    def select_numbers(self) -> str:
        """Statement that reads the numbers of all rows."""
        return f"SELECT {self.columns[0]} FROM {self.name}"  # noqa: S608

    def as_stored(self, record: Record) -> Record:
        """Return a row as SQLite returns it: numbers have the types of their columns, and there is no -0.0."""
        numbers: dict[str, Callable[[float], float]] = {"REAL": lambda value: float(value) + 0.0, "INTEGER": int}
        return tuple(
            numbers[kind](value) if kind in numbers and isinstance(value, int | float) else value
            for kind, value in zip(map(self.kind, self.columns), record, strict=True)
        )

    def is_complete(self, description: Mapping[str, object]) -> bool:
        """Return whether a description has all required keys."""
        return all(key in description for key in self.required_keys)

    def has_types(self, record: Record) -> bool:
        """Return whether all values have the types of their columns."""
        types = tuple(map(type, record))
        return types == self._types or (
            len(record) == len(self.columns)
            and all(issubclass(one, TYPES[self.kind(name)]) for name, one in zip(self.columns, types, strict=True))
        )

    @cached_property
    def _types(self) -> tuple[type, ...]:
        """The types of almost all rows."""
        return tuple(TYPES[self.kind(name)][-1] for name in self.columns)

    def is_valid(self, record: Record) -> bool:
        """Return whether a row can be the result of a job of this kind."""
        if not self.has_types(record):
            return False
        try:
            return is_text("".join(value for value in record if isinstance(value, str))) and self.is_plausible(record)
        except (ValueError, TypeError, KeyError, IndexError, RecursionError):
            return False


def is_text(text: str) -> bool:
    """Return whether a text can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
