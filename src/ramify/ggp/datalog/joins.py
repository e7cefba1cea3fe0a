"""From a clause to the rows of its head: its conditions one after another, each a join, a test or a negation."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from ramify.ggp.datalog.dependencies import Relation
from ramify.ggp.datalog.tables import Lookup, Pattern, Row, Table, column_getter, key_getter
from ramify.ggp.kif import Term, is_variable, variables
from ramify.ggp.rules import Clause, Literal, arguments, relation

Builder: TypeAlias = Callable[[Row], Any]

EMPTY = Table()
ASSUMED_VALUES = 4  # values of an argument of a relation whose table is not known before


class TooManyRowsError(Exception):
    """A join with more rows than it was allowed."""


class Source(Protocol):
    """Where joins find what holds."""

    tables: dict[Relation, Table]
    on_demand: set[Relation]  # whose tables have only what was asked for

    def ask(self, one: Relation, places: tuple[int, ...], keys: Iterable[Row]) -> None:
        """See to it that a table on demand has all rows with these arguments in these places."""


class Join:
    """A clause whose conditions have an order.

    Rows have a column for every constant and every variable that is still of use.
    """

    def __init__(self, clause: Clause, order: Sequence[Literal]) -> None:
        wanted = [_leaves(one.atom) for one in order] + [_leaves(clause.head)]
        self.head = Relation.from_atom(clause.head)
        constants = dict.fromkeys(leaf for leaves in wanted for leaf in leaves if not is_variable(leaf))
        self.first: Row = tuple(constants)
        columns = {constant: column for column, constant in enumerate(constants)}
        self.steps: list[Step] = []
        for place, literal in enumerate(order):
            later = {leaf for leaves in wanted[place + 1 :] for leaf in leaves}
            step = Step(literal, columns, later)
            self.steps.append(step)
            columns = step.columns
        self.build = _row_builder(arguments(clause.head), columns)

    def rows(self, source: Source, given: Table | None = None, max_rows: float = math.inf) -> list[Row]:
        """The rows of the head that follow; ``given`` stands for the table of the first condition.

        TooManyRowsError where there are more than ``max_rows`` on the way.
        """
        rows = [self.first]
        for step in self.steps:
            if source.on_demand and given is None and step.relation in source.on_demand:
                if not step.places and max_rows < math.inf:  # all that was too much before
                    raise TooManyRowsError
                source.ask(step.relation, step.places, dict.fromkeys(map(step.asked, rows)))
            rows = step.after(rows, source.tables.get(step.relation, EMPTY) if given is None else given, max_rows)
            if not rows:
                return []
            given = None
        return list(map(self.build, rows))


class Step:
    """One condition."""

    def __init__(self, literal: Literal, columns: Mapping[str, int], later: set[str]) -> None:
        self.relation = Relation.from_atom(literal.atom)
        leaves = _leaves(literal.atom)
        places: dict[str, int] = {}
        equal = []
        for place, leaf in enumerate(leaves):
            if leaf not in columns and places.setdefault(leaf, place) != place:
                equal.append((places[leaf], place))
        found = {leaf: place for leaf, place in places.items() if leaf in later}
        kept = [leaf for leaf in columns if leaf in later]
        self.columns = {leaf: column for column, leaf in enumerate([*kept, *found])}
        self.keep = column_getter(tuple(columns[leaf] for leaf in kept))
        self.drops = any(is_variable(leaf) for leaf in columns if leaf not in later)
        known = [(place, columns[leaf]) for place, leaf in enumerate(leaves) if leaf in columns]
        self.key = key_getter(tuple(column for _, column in known))
        self.lookup = Lookup(
            _pattern(arguments(literal.atom)), tuple(place for place, _ in known), tuple(found.values()), tuple(equal)
        )
        terms = arguments(literal.atom)
        self.places = tuple(place for place, term in enumerate(terms) if _known(term, columns))
        self.asked = _row_builder(tuple(terms[place] for place in self.places), columns)
        self.after = self.join if literal.positive else self.lacking
        if self.relation.name == "distinct":
            self.one, self.other = (_builder(term, columns) for term in arguments(literal.atom))
            self.after = self.differing if literal.positive else self.alike

    def join(self, rows: Iterable[Row], table: Table, max_rows: float) -> list[Row]:
        """Every row with all that the table has for it."""
        hits, key, keep = table.index(self.lookup).get, self.key, self.keep
        made: list[Row] = []
        for row in rows:
            if all_found := hits(key(row)):
                kept = keep(row)
                made += [kept + found for found in all_found]
                if len(made) > max_rows:
                    raise TooManyRowsError
        return list(dict.fromkeys(made)) if self.drops else made

    def lacking(self, rows: Iterable[Row], table: Table, max_rows: float) -> list[Row]:
        """The rows for which the table has nothing."""
        del max_rows
        index, key = table.index(self.lookup), self.key
        return self._kept(row for row in rows if key(row) not in index)

    def differing(self, rows: Iterable[Row], table: Table, max_rows: float) -> list[Row]:
        """The rows in which two terms differ."""
        del table, max_rows
        return self._kept(row for row in rows if self.one(row) != self.other(row))

    def alike(self, rows: Iterable[Row], table: Table, max_rows: float) -> list[Row]:
        """The rows in which two terms are the same."""
        del table, max_rows
        return self._kept(row for row in rows if self.one(row) == self.other(row))

    def _kept(self, rows: Iterable[Row]) -> list[Row]:
        made = map(self.keep, rows)
        return list(dict.fromkeys(made) if self.drops else made)


def planned(clause: Clause, source: Source, first: Literal | None = None) -> Join:
    """A clause with its conditions in an order that keeps the rows few, judged by tables of that kind.

    Tests come as soon as their variables have values; of the others the one that is expected to multiply the rows
    least.
    """
    order = [] if first is None else [first]
    bound = set() if first is None else set(variables(first.atom))
    waiting = [one for one in clause.body if one is not first]
    while waiting:
        ready = [one for one in waiting if not one.binds and bound.issuperset(variables(one.atom))]
        best = (
            ready[0]
            if ready
            else min((one for one in waiting if one.binds), key=lambda one: _spread(one, bound, source))
        )
        waiting.remove(best)
        order.append(best)
        bound.update(variables(best.atom))
    return Join(clause, order)


def _spread(one: Literal, bound: set[str], source: Source) -> float:
    """About how many rows a condition makes of one."""
    leaves, which = _leaves(one.atom), Relation.from_atom(one.atom)
    known = tuple(place for place, leaf in enumerate(leaves) if leaf in bound or not is_variable(leaf))
    if len(known) == len(leaves):
        return 0.0
    if which in source.on_demand:
        return float(ASSUMED_VALUES ** (len(leaves) - len(known)) if known else math.inf)
    rows = source.tables.get(which, EMPTY).view(_pattern(arguments(one.atom)))
    return max(len(rows), 2) / max(len(set(map(key_getter(known), rows))), 1)


def _known(term: Term, columns: Mapping[str, int]) -> bool:
    return term in columns if isinstance(term, str) else all(_known(part, columns) for part in arguments(term))


def _leaves(term: Term) -> list[str]:
    """The constants and variables among an atom's arguments, from left to right."""
    found: list[str] = []
    for part in arguments(term):
        found.extend([part] if isinstance(part, str) else _leaves(part))
    return found


def _pattern(terms: Row) -> Pattern:
    return tuple(None if isinstance(term, str) else (relation(term), _pattern(arguments(term))) for term in terms)


def _builder(term: Term, columns: Mapping[str, int]) -> Builder:
    """From a row to the term with its values."""
    if isinstance(term, str):
        return key_getter((columns[term],))
    functor, build = relation(term), _row_builder(arguments(term), columns)
    return lambda row: (functor, *build(row))


def _row_builder(terms: Row, columns: Mapping[str, int]) -> Callable[[Row], Row]:
    """From a row to the terms with its values."""
    if all(isinstance(term, str) for term in terms):
        return column_getter(tuple(columns[term] for term in terms if isinstance(term, str)))
    builders = [_builder(term, columns) for term in terms]
    return lambda row: tuple([build(row) for build in builders])
