"""Interpreter for GDL: the simple, slow reference that evaluates the rules from the facts of a position."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import TypeAlias

from ramify.errors import RamifyError
from ramify.ggp.checks import goal_value, raise_on_errors
from ramify.ggp.datalog.dependencies import Relation
from ramify.ggp.datalog.evaluation import ALWAYS, DOES, IN_MOVE, IN_POSITION, TRUE, Layer, Program
from ramify.ggp.datalog.tables import Table
from ramify.ggp.kif import Term, write
from ramify.ggp.rules import Rulesheet

Fluents: TypeAlias = frozenset[Term]  # the fluents that are true in a position

INIT, LEGAL, NEXT = Relation("init", 1), Relation("legal", 2), Relation("next", 1)
TERMINAL, GOAL, SEES = Relation("terminal", 0), Relation("goal", 2), Relation("sees", 2)

CACHED_POSITIONS = 32  # positions whose derived facts are cached
CACHED_FACTS = 1_000_000  # in all of them together; at least one position is cached


class Interpreter:
    """Plays a rulesheet. A position is the set of its true fluents."""

    def __init__(self, rules: Rulesheet) -> None:
        self.warnings = raise_on_errors(rules)
        self.rules = rules
        self.roles = rules.roles
        self._program = Program(rules)
        self._always = Layer(self._program, ALWAYS, {})
        self._positions: OrderedDict[Fluents, Layer] = OrderedDict()

    def initial(self) -> Fluents:
        return frozenset(row[0] for row in self._first_layer().table(INIT).rows)

    def legal(self, state: Fluents, role: Term) -> list[Term]:
        """Return a role's legal moves, sorted by their text."""
        return sorted((move for player, move in self._table(state, LEGAL).rows if player == role), key=write)

    def some_legal(self, state: Fluents, role: Term) -> Term | None:
        """Return a legal move of a role as soon as one is derived, or None if there is none.

        Moves that are facts of the rules cost nothing, and clauses after the first one that yields a move are skipped.
        """
        facts = [move for player, move in self._program.facts.get(LEGAL, ()) if player == role]
        if facts or self._program.when.get(LEGAL) == IN_MOVE:
            return min(facts or self.legal(state, role), key=write, default=None)
        table = self._position(state).table(LEGAL, lambda found: any(row[0] == role for row in found.rows))
        return min((move for player, move in table.rows if player == role), key=write, default=None)

    def all_legal(self, state: Fluents) -> dict[Term, list[Term]]:
        """Return the legal moves of every role in a non-terminal position. Raise RamifyError if a role has none."""
        legal = {role: self.legal(state, role) for role in self.roles}
        for role, moves in legal.items():
            if not moves:
                raise RamifyError(
                    f"{self.rules.name}: {write(role)} has no legal move in a position that is not terminal"
                )
        return legal

    def next(self, state: Fluents, moves: Mapping[Term, Term]) -> Fluents:
        return frozenset(row[0] for row in self._after(state, moves).table(NEXT).rows)

    def terminal(self, state: Fluents) -> bool:
        return bool(self._table(state, TERMINAL).rows)

    def goal(self, state: Fluents, role: Term) -> int:
        """Return a role's goal value: the highest that holds, 0 if none does."""
        return max(self.goals(state, role), default=0)

    def goals(self, state: Fluents, role: Term) -> list[int]:
        """Return all goal values of a role that hold; GDL requires exactly one in a terminal position."""
        return sorted(self._value(value) for player, value in self._table(state, GOAL).rows if player == role)

    def sees(self, state: Fluents, moves: Mapping[Term, Term], role: Term) -> list[Term]:
        """Return a role's percepts after the moves (GDL-II)."""
        return sorted(
            (percept for player, percept in self._after(state, moves).table(SEES).rows if player == role), key=write
        )

    def _value(self, term: Term) -> int:
        value = goal_value(term)
        if value is None:
            raise RamifyError(f"{self.rules.name}: invalid goal {write(term)}: use an integer from 0 to 100")
        return value

    def _first_layer(self) -> Layer:
        """Return the layer of what always holds; a new one if an error has left it incomplete."""
        with self._program.lock:
            if self._always.incomplete:
                self._always = Layer(self._program, ALWAYS, {})
                self._positions.clear()
            return self._always

    def _position(self, state: Fluents) -> Layer:
        with self._program.lock:
            first = self._first_layer()
            layer = self._positions.get(state)
            if layer is None:
                layer = Layer(self._program, IN_POSITION, {TRUE: Table((fluent,) for fluent in state)}, first)
                facts = sum(one.facts for one in self._positions.values())
                while self._positions and (facts > CACHED_FACTS or len(self._positions) >= CACHED_POSITIONS):
                    facts -= self._positions.popitem(last=False)[1].facts
                self._positions[state] = layer
            return layer

    def _after(self, state: Fluents, moves: Mapping[Term, Term]) -> Layer:
        if missing := [role for role in self.roles if role not in moves]:
            raise RamifyError(f"{self.rules.name}: no move for {write(missing[0])}: every role must move")
        return Layer(self._program, IN_MOVE, {DOES: Table(moves.items())}, self._position(state))

    def _table(self, state: Fluents, one: Relation) -> Table:
        """Return a relation's table while no move is being made."""
        layer = self._position(state)
        if self._program.when.get(one) == IN_MOVE:
            layer = Layer(self._program, IN_MOVE, {DOES: Table()}, layer)
        return layer.table(one)
