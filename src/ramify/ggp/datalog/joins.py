"""Joins: compute the rows of a clause's head from its conditions, each a join, a test or a negation."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from ramify.ggp.datalog.dependencies import Relation
from ramify.ggp.datalog.tables import Lookup, Pattern, Row, Table, column_getter, key_getter
from ramify.ggp.datalog.term_sizes import checked
from ramify.ggp.kif import Term, is_variable, variables
from ramify.ggp.rules import Clause, Literal, arguments, relation

Builder: TypeAlias = Callable[[Row], Any]

EMPTY = Table()
MAX_FACTS = 2_000_000  # per layer, and rows per join; public rulesheets reach 1.2 million
COLUMNS_PER_FACT = 16  # rows with more columns count as several facts, because they take more memory
ASSUMED_VALUES = 4  # estimate of the values of an argument, for relations on demand


class TooManyRowsError(Exception):
    """A join or table exceeded ``max_rows`` or MAX_FACTS."""


class Source(Protocol):
    """The tables that joins read."""

    tables: dict[Relation, Table]
    on_demand: set[Relation]  # relations whose tables hold only queried rows
    terms_grow: bool  # whether sizes of terms must be checked

    def ask(self, one: Relation, places: tuple[int, ...], keys: Iterable[Row]) -> None:
        """Complete a table on demand for these arguments in these places."""


class Join:
    """A clause with its conditions in evaluation order.

    Rows have one column per constant and per variable that is still needed.
    """

    def __init__(self, clause: Clause, order: Sequence[Literal], terms_grow: bool) -> None:
        wanted = [_leaves(one.atom) for one in order] + [_leaves(clause.head)]
        self.head = Relation.from_atom(clause.head)
        constants = dict.fromkeys(leaf for leaves in wanted for leaf in leaves if not is_variable(leaf))
        self.first: Row = tuple(constants)
        columns = {constant: column for column, constant in enumerate(constants)}
        self.steps: list[Step] = []
        widest = max(len(columns), len(wanted[-1]))
        for place, literal in enumerate(order):
            later = {leaf for leaves in wanted[place + 1 :] for leaf in leaves}
            step = Step(literal, columns, later)
            self.steps.append(step)
            columns = step.columns
            widest = max(widest, len(columns))
        self.weight = 1 + widest // COLUMNS_PER_FACT  # facts that a row counts as
        build = _row_builder(arguments(clause.head), columns)
        self.build = checked(build) if terms_grow else build

    def rows(self, source: Source, given: Table | None = None, max_rows: float = math.inf) -> list[Row]:
        """Return the derived rows of the head. ``given`` replaces the table of the first condition.

        Raise TooManyRowsError if an intermediate result has more than ``max_rows`` rows or MAX_FACTS facts.
        """
        rows, limit = [self.first], min(max_rows, MAX_FACTS // self.weight)
        for step in self.steps:
            if source.on_demand and given is None and step.relation in source.on_demand:
                if not step.places and max_rows < math.inf:  # an unbound query would compute the whole relation
                    raise TooManyRowsError
                source.ask(step.relation, step.places, dict.fromkeys(map(step.asked, rows)))
            rows = step.after(rows, source.tables.get(step.relation, EMPTY) if given is None else given, limit)
            if not rows:
                return []
            given = None
        return list(map(self.build, rows))


class Step:
    """A condition of a join, with the columns of the rows before and after it."""

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
        """Extend every row by all matching rows of the table."""
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
        """Return the rows that match nothing in the table."""
        del max_rows
        index, key = table.index(self.lookup), self.key
        return self._kept(row for row in rows if key(row) not in index)

    def differing(self, rows: Iterable[Row], table: Table, max_rows: float) -> list[Row]:
        """Return the rows in which the two terms of ``distinct`` differ."""
        del table, max_rows
        return self._kept(row for row in rows if self.one(row) != self.other(row))

    def alike(self, rows: Iterable[Row], table: Table, max_rows: float) -> list[Row]:
        """Return the rows in which the two terms of ``distinct`` are equal."""
        del table, max_rows
        return self._kept(row for row in rows if self.one(row) == self.other(row))

    def _kept(self, rows: Iterable[Row]) -> list[Row]:
        made = map(self.keep, rows)
        return list(dict.fromkeys(made) if self.drops else made)


def planned(clause: Clause, source: Source, first: Literal | None = None) -> Join:
    """Order a clause's conditions greedily, by the present sizes of the tables.

    Tests come as soon as their variables are bound; otherwise the condition with the smallest expected number of rows
    per row.
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
    return Join(clause, order, source.terms_grow)


def _spread(one: Literal, bound: set[str], source: Source) -> float:
    """Estimate the number of rows that a condition yields per row."""
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
    """Return the constants and variables of an atom's arguments, from left to right."""
    found: list[str] = []
    for part in arguments(term):
        found.extend([part] if isinstance(part, str) else _leaves(part))
    return found


def _pattern(terms: Row) -> Pattern:
    return tuple(None if isinstance(term, str) else (relation(term), _pattern(arguments(term))) for term in terms)


def _builder(term: Term, columns: Mapping[str, int]) -> Builder:
    """Return a function that instantiates a term with the values of a row."""
    if isinstance(term, str):
        return key_getter((columns[term],))
    functor, build = relation(term), _row_builder(arguments(term), columns)
    return lambda row: (functor, *build(row))


def _row_builder(terms: Row, columns: Mapping[str, int]) -> Callable[[Row], Row]:
    """Return a function that instantiates several terms with the values of a row."""
    if all(isinstance(term, str) for term in terms):
        return column_getter(tuple(columns[term] for term in terms if isinstance(term, str)))
    builders = [_builder(term, columns) for term in terms]
    return lambda row: tuple([build(row) for build in builders])
