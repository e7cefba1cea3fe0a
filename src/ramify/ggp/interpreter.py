"""The slow, obvious way to play by GDL rules: from what is true now, bottom up, to all that follows.

Clauses are evaluated in an order in which everything that a clause needs, also as a negation, is known before it;
clauses that need each other are evaluated until nothing new follows, each time only from what is new (semi-naive
evaluation). What depends on no position is worked out once, what depends on no move once for each position.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Mapping
from typing import TypeAlias

from ramify.errors import RamifyError
from ramify.ggp.checks import goal_value, refuse_bad
from ramify.ggp.dependencies import Dependencies, Relation, clause_components, may_match
from ramify.ggp.joins import EMPTY, Join, planned
from ramify.ggp.kif import Term, write
from ramify.ggp.prepare import prepared
from ramify.ggp.rules import Clause, Rules, arguments
from ramify.ggp.tables import Row, Table

Fluents: TypeAlias = frozenset[Term]  # what is true in a position

TRUE, DOES, INIT, NEXT = Relation("true", 1), Relation("does", 2), Relation("init", 1), Relation("next", 1)
LEGAL, GOAL, SEES, TERMINAL = Relation("legal", 2), Relation("goal", 2), Relation("sees", 2), Relation("terminal", 0)

ALWAYS, IN_POSITION, IN_MOVE = range(3)  # when it can be known what holds of a relation

MOST_ROWS = 5_000_000  # of one relation: more is taken for rules without an end
REMEMBERED = 32  # positions


class Interpreter:
    """Plays by rules."""

    def __init__(self, rules: Rules) -> None:
        self.warnings = refuse_bad(rules)
        self.rules = rules
        self.roles = rules.roles
        needed = prepared(rules)
        self.facts: defaultdict[Relation, list[Row]] = defaultdict(list)
        for clause in needed.clauses:
            if not clause.body:
                self.facts[Relation.of(clause.head)].append(arguments(clause.head))
        clauses = [clause for clause in needed.clauses if clause.body]
        self.groups = [_Group([clauses[place] for place in places]) for places in clause_components(clauses)]
        self.graph = Dependencies(needed)
        self.when = {one: self._when(one) for one in (TRUE, DOES, *self.graph.edges)}
        self.lock = threading.RLock()  # threads of a search share what is worked out
        self._wanted: dict[Relation, dict[int, list[_Group]]] = {}
        self._always = _Layer(
            self, ALWAYS, {one: Table(rows) for one, rows in self.facts.items() if not self.when[one]}
        )
        self._positions: OrderedDict[Fluents, _Layer] = OrderedDict()

    def initial(self) -> Fluents:
        """What is true at the start."""
        return frozenset(row[0] for row in self._always.table(INIT).rows)

    def legal(self, state: Fluents, role: Term) -> list[Term]:
        """The legal moves of a role, in the order of their text."""
        return sorted((move for player, move in self._table(state, LEGAL).rows if player == role), key=write)

    def all_legal(self, state: Fluents) -> dict[Term, list[Term]]:
        """The legal moves of every role in a position that is not over; RamifyError where a role has none."""
        legal = {role: self.legal(state, role) for role in self.roles}
        for role, moves in legal.items():
            if not moves:
                what = f"has a position that is not over and where {write(role)} has no legal move"
                raise RamifyError(f"{self.rules.name} {what}")
        return legal

    def next(self, state: Fluents, moves: Mapping[Term, Term]) -> Fluents:
        """What is true after every role has made a move."""
        return frozenset(row[0] for row in self._after(state, moves).table(NEXT).rows)

    def terminal(self, state: Fluents) -> bool:
        """Whether the game has ended."""
        return bool(self._table(state, TERMINAL).rows)

    def goal(self, state: Fluents, role: Term) -> int:
        """What a role gets: the highest goal that holds, 0 where none does."""
        return max(self.goals(state, role), default=0)

    def goals(self, state: Fluents, role: Term) -> list[int]:
        """All goals of a role that hold; the definition of GDL wants exactly one at the end of a game."""
        return sorted(self._value(value) for player, value in self._table(state, GOAL).rows if player == role)

    def sees(self, state: Fluents, moves: Mapping[Term, Term], role: Term) -> list[Term]:
        """What a role is told after the moves, in a game where not everybody sees everything."""
        return sorted(
            (told for player, told in self._after(state, moves).table(SEES).rows if player == role), key=write
        )

    def _value(self, term: Term) -> int:
        value = goal_value(term)
        if value is None:
            raise RamifyError(f"{self.rules.name}: a goal is a whole number from 0 to 100, not {write(term)}")
        return value

    def _when(self, one: Relation) -> int:
        if one == DOES or self.graph.way(one, [DOES]):
            return IN_MOVE
        return IN_POSITION if one == TRUE or self.graph.way(one, [TRUE]) else ALWAYS

    def _position(self, state: Fluents) -> _Layer:
        with self.lock:
            layer = self._positions.get(state)
            if layer is None:
                layer = _Layer(self, IN_POSITION, {TRUE: Table((fluent,) for fluent in state)}, self._always)
                self._positions[state] = layer
                if len(self._positions) > REMEMBERED:
                    self._positions.popitem(last=False)
            return layer

    def _after(self, state: Fluents, moves: Mapping[Term, Term]) -> _Layer:
        if missing := [role for role in self.roles if role not in moves]:
            raise RamifyError(f"{self.rules.name}: {write(missing[0])} has made no move; every role must make one")
        return _Layer(self, IN_MOVE, {DOES: Table(moves.items())}, self._position(state))

    def _table(self, state: Fluents, one: Relation) -> Table:
        """What holds of a relation while nobody moves."""
        layer = self._position(state)
        if self.when.get(one) == IN_MOVE:
            layer = _Layer(self, IN_MOVE, {DOES: Table()}, layer)
        return layer.table(one)

    def groups_for(self, one: Relation, when: int) -> list[_Group]:
        """What must be evaluated so that a relation is known, of what is known in a layer."""
        found = self._wanted.get(one)
        if found is None:
            below = self.graph.below([one])
            found = self._wanted[one] = {ALWAYS: [], IN_POSITION: [], IN_MOVE: []}
            for group in self.groups:
                if group.heads & below:
                    found[max(self.when[head] for head in group.heads)].append(group)
        return found[when]


class _Layer:
    """What is known always, in a position, or when moves are made; each built upon the one before."""

    def __init__(self, of: Interpreter, when: int, given: dict[Relation, Table], below: _Layer | None = None) -> None:
        self.of = of
        self.when = when
        self.tables = given
        self.below = below
        self.done: set[int] = set()  # groups, by id

    def table(self, one: Relation) -> Table:
        """What holds of a relation."""
        with self.of.lock:
            if self.below is not None:
                self.below.table(one)
                self.tables = self.below.tables | self.tables
            for group in self.of.groups_for(one, self.when):
                if id(group) not in self.done:
                    self.done.add(id(group))
                    for head in group.heads:
                        if head not in self.tables:
                            self.tables[head] = Table(self.of.facts.get(head, ()))
                    group.evaluate(self.tables)
            return self.tables.get(one, EMPTY)


class _Group:
    """Clauses that need each other, or one that needs only others."""

    def __init__(self, clauses: list[Clause]) -> None:
        self.clauses = clauses
        self.heads = {Relation.of(clause.head) for clause in clauses}
        self.joins: list[Join] = []
        self.again: list[tuple[Relation, Join]] = []  # by a condition of the group's own, which comes first

    def evaluate(self, tables: dict[Relation, Table]) -> None:
        """Enter all that follows from the tables into those of the heads."""
        if not self.joins:
            self.joins = [planned(clause, tables) for clause in self.clauses]
            self.again = [
                (Relation.of(one.atom), planned(clause, tables, one))
                for clause in self.clauses
                for one in clause.body
                if any(may_match(one.atom, other.head) for other in self.clauses)
            ]
        new: defaultdict[Relation, list[Row]] = defaultdict(list)
        for join in self.joins:
            new[join.head] += tables[join.head].add(join.rows(tables))
        while self.again and any(new.values()):
            fresh = {one: Table(rows) for one, rows in new.items() if rows}
            new = defaultdict(list)
            for one, join in self.again:
                if one in fresh:
                    new[join.head] += tables[join.head].add(join.rows(tables, fresh[one]))
            if any(len(tables[head].rows) > MOST_ROWS for head in self.heads):
                raise RamifyError(f"{min(self.heads)} holds of more than {MOST_ROWS} terms: the rules do not end")
