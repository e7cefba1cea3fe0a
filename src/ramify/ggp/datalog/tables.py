"""What holds of a relation, as a table of rows that can be looked up by any of their columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from ramify.ggp.kif import Term

Row: TypeAlias = tuple[Term, ...]
Pattern: TypeAlias = "tuple[tuple[str, Pattern] | None, ...]"  # functors and patterns of arguments; None is any term


class Lookup(NamedTuple):
    """A question to a table: rows of one pattern, taken apart into columns, by the values in some of those."""

    pattern: Pattern
    known: tuple[int, ...]  # columns whose values are given
    found: tuple[int, ...]  # columns whose values are asked for
    equal: tuple[tuple[int, int], ...]  # columns that must have the same value


class Table:
    """Rows, each the arguments of an atom that holds, and indexes that were asked for."""

    __slots__ = ("_indexes", "_views", "rows")

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.begin(rows)

    def begin(self, rows: Iterable[Row]) -> None:
        """Forget everything but these rows."""
        self.rows: dict[Row, None] = dict.fromkeys(rows)
        self._views: dict[Pattern, list[Row]] = {}
        self._indexes: dict[Lookup, dict[Any, dict[Row, None]]] = {}

    def add(self, rows: Iterable[Row]) -> list[Row]:
        """Add rows; those that are new."""
        before = self.rows
        new = list(dict.fromkeys(row for row in rows if row not in before))
        before.update(dict.fromkeys(new))
        if new and self._views:
            fresh = {pattern: list(_flat(new, pattern)) for pattern in self._views}
            for pattern, flat in fresh.items():
                self._views[pattern] += flat
            for lookup, index in self._indexes.items():
                _enter(index, lookup, fresh[lookup.pattern])
        return new

    def index(self, lookup: Lookup) -> dict[Any, dict[Row, None]]:
        """By the values in the known columns (see ``key_getter``), the different rows of the found columns."""
        index = self._indexes.get(lookup)
        if index is None:
            index = self._indexes[lookup] = {}
            _enter(index, lookup, self.view(lookup.pattern))
        return index

    def view(self, pattern: Pattern) -> list[Row]:
        """The rows of that pattern, each taken apart into columns."""
        view = self._views.get(pattern)
        if view is None:
            view = self._views[pattern] = list(_flat(self.rows, pattern))
        return view


def key_getter(columns: tuple[int, ...]) -> Callable[[Row], Any]:
    """From a row to the key of these columns: the value itself if it is one."""
    return itemgetter(*columns) if columns else _nothing


def column_getter(columns: tuple[int, ...]) -> Callable[[Row], Row]:
    """From a row to the row of these columns."""
    if len(columns) == 1:
        column = columns[0]
        return lambda row: (row[column],)
    return key_getter(columns)


def _nothing(row: Row) -> Row:
    del row
    return ()


def _enter(index: dict[Any, dict[Row, None]], lookup: Lookup, rows: Iterable[Row]) -> None:
    key, found = key_getter(lookup.known), column_getter(lookup.found)
    if lookup.equal:
        rows = [row for row in rows if all(row[one] == row[other] for one, other in lookup.equal)]
    for row in rows:
        index.setdefault(key(row), {})[found(row)] = None


def _flat(rows: Iterable[Row], pattern: Pattern) -> Iterator[Row]:
    """The columns of those rows that have the pattern."""
    if not any(pattern):
        yield from rows
        return
    for row in rows:
        flat: list[Term] = []
        if _take_apart(row, pattern, flat):
            yield tuple(flat)


def _take_apart(row: Row, pattern: Pattern, flat: list[Term]) -> bool:
    """Append the columns of a row; whether it has the pattern."""
    if len(row) != len(pattern):
        return False
    for term, wanted in zip(row, pattern, strict=True):
        if wanted is None:
            flat.append(term)
        elif isinstance(term, str) or term[0] != wanted[0] or not _take_apart(term[1:], wanted[1], flat):
            return False
    return True
