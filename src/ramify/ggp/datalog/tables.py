"""Tables of a relation's rows, indexed by any of their columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from ramify.ggp.kif import Term

Row: TypeAlias = tuple[Term, ...]
Pattern: TypeAlias = "tuple[tuple[str, Pattern] | None, ...]"  # functor and pattern per argument; None: any term


class Lookup(NamedTuple):
    """A lookup in a table: rows that match a pattern, flattened into columns, by the values of some columns."""

    pattern: Pattern
    known: tuple[int, ...]  # columns of the key
    found: tuple[int, ...]  # columns of the result
    equal: tuple[tuple[int, int], ...]  # pairs of columns that must be equal


class Table:
    """Rows (the arguments of true atoms) with indexes built on first use."""

    __slots__ = ("_indexes", "_views", "rows")

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.begin(rows)

    def begin(self, rows: Iterable[Row]) -> None:
        """Replace all rows by these."""
        self.rows: dict[Row, None] = dict.fromkeys(rows)
        self._views: dict[Pattern, list[Row]] = {}
        self._indexes: dict[Lookup, dict[Any, dict[Row, None]]] = {}

    def add(self, rows: Iterable[Row]) -> list[Row]:
        """Add rows. Return the new ones."""
        before = self.rows
        new = list(dict.fromkeys(row for row in rows if row not in before))
        before.update(dict.fromkeys(new))
        if new and self._views:
            fresh = {pattern: list(_flat(new, pattern)) for pattern in self._views}
            for pattern, flat in fresh.items():
                self._views[pattern] += flat
            for lookup, index in self._indexes.items():
                _add_to_index(index, lookup, fresh[lookup.pattern])
        return new

    def index(self, lookup: Lookup) -> dict[Any, dict[Row, None]]:
        """Return the distinct rows of the ``found`` columns, by ``key_getter(known)``."""
        index = self._indexes.get(lookup)
        if index is None:
            index = self._indexes[lookup] = {}
            _add_to_index(index, lookup, self.view(lookup.pattern))
        return index

    def view(self, pattern: Pattern) -> list[Row]:
        """Return the rows that match a pattern, flattened into columns."""
        view = self._views.get(pattern)
        if view is None:
            view = self._views[pattern] = list(_flat(self.rows, pattern))
        return view


def key_getter(columns: tuple[int, ...]) -> Callable[[Row], Any]:
    """Return a function from a row to its key: the tuple of these columns, or the value if there is only one."""
    return itemgetter(*columns) if columns else _nothing


def column_getter(columns: tuple[int, ...]) -> Callable[[Row], Row]:
    """Return a function from a row to the tuple of these columns."""
    if len(columns) == 1:
        column = columns[0]
        return lambda row: (row[column],)
    return key_getter(columns)


def _nothing(row: Row) -> Row:
    del row
    return ()


def _add_to_index(index: dict[Any, dict[Row, None]], lookup: Lookup, rows: Iterable[Row]) -> None:
    key, found = key_getter(lookup.known), column_getter(lookup.found)
    if lookup.equal:
        rows = [row for row in rows if all(row[one] == row[other] for one, other in lookup.equal)]
    for row in rows:
        index.setdefault(key(row), {})[found(row)] = None


def _flat(rows: Iterable[Row], pattern: Pattern) -> Iterator[Row]:
    """Yield the rows that match a pattern, flattened."""
    if not any(pattern):
        yield from rows
        return
    for row in rows:
        flat: list[Term] = []
        if _flatten(row, pattern, flat):
            yield tuple(flat)


def _flatten(row: Row, pattern: Pattern, flat: list[Term]) -> bool:
    """Append the columns of a row to ``flat``. Return whether it matches the pattern."""
    if len(row) != len(pattern):
        return False
    for term, wanted in zip(row, pattern, strict=True):
        if wanted is None:
            flat.append(term)
        elif isinstance(term, str) or term[0] != wanted[0] or not _flatten(term[1:], wanted[1], flat):
            return False
    return True
