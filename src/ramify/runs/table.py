"""What the file of a run holds: the columns of its rows, which rows make sense, and the keys of its description."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from ramify.runs.jobs import Record

TYPES: Mapping[str, tuple[type, ...]] = {"INTEGER": (int,), "REAL": (int, float), "TEXT": (str,)}


@dataclass(frozen=True)
class RunTable:
    """A table whose first column is the number of the row's job."""

    name: str
    columns: tuple[str, ...]
    kinds: Mapping[str, str]  # of columns that are not whole numbers
    command: str  # the command that knows what to do with it
    required_keys: tuple[str, ...] = ()  # what a run's description always has
    is_plausible: Callable[[Record], bool] = lambda _: True  # of a row whose columns are of their kinds; it may raise
    added: Mapping[str, str] = field(default_factory=dict)  # text columns that old files lack, and what stands for them
    extendable_keys: tuple[str, ...] = ()  # of the description: a later sitting may change them

    def kind(self, column: str) -> str:
        """What a column holds, as SQLite says it."""
        return self.kinds.get(column, "INTEGER")

    @property
    def create(self) -> str:
        """The statement that makes the tables of a file."""
        columns = ", ".join(f"{name} {self.kind(name)} NOT NULL" for name in self.columns)
        return (
            "CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
            f" CREATE TABLE {self.name} ({columns}, PRIMARY KEY ({self.columns[0]}));"
        )

    @property
    def insert(self) -> str:
        """The statement that adds a row, unless it is there."""
        return f"INSERT OR IGNORE INTO {self.name} VALUES ({', '.join('?' * len(self.columns))})"  # noqa: S608

    def select(self, missing: Collection[str] = ()) -> str:
        """The statement that reads rows, of a file that may lack added columns."""
        columns = (f"'{self.added[name]}'" if name in missing else name for name in self.columns)
        return f"SELECT {', '.join(columns)} FROM {self.name}"  # noqa: S608

    def add(self, column: str) -> str:
        """The statement that gives an old file an added column."""
        return f"ALTER TABLE {self.name} ADD COLUMN {column} TEXT NOT NULL DEFAULT '{self.added[column]}'"

    @property
    def select_numbers(self) -> str:
        """The statement that reads the numbers of all rows."""
        return f"SELECT {self.columns[0]} FROM {self.name}"  # noqa: S608

    def is_complete(self, description: Mapping[str, object]) -> bool:
        """Whether a description says all that it must."""
        return all(key in description for key in self.required_keys)

    def is_valid(self, record: Record) -> bool:
        """Whether a row can have come from a job of this kind."""
        if len(record) != len(self.columns):
            return False
        if not all(isinstance(value, TYPES[self.kind(name)]) for name, value in zip(self.columns, record, strict=True)):
            return False
        try:
            return self.is_plausible(record)
        except (ValueError, TypeError, KeyError, IndexError, RecursionError):
            return False
