"""Searchable games of a match: a game of the contract, and conversion of positions and moves from and to GDL."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ramify.contract.game import Game, State
from ramify.contract.python_game import PythonGame
from ramify.contract.python_rules import PythonRules as ContractRules
from ramify.core.search.tree import CHANCE
from ramify.ggp.grounding import GroundingLimits
from ramify.ggp.interpreter import Fluents, Interpreter
from ramify.ggp.kif import Term, write
from ramify.ggp.propnet_cache import load_or_build
from ramify.ggp.propnet_game import PropnetGame
from ramify.ggp.rules import RANDOM, Rulesheet
from ramify.old_names import old_attributes


class RoleGame(ABC):
    """A game to search for one role."""

    game: Game
    player: int  # the role's player number
    kind: str  # for log messages, e.g. "with the interpreter"

    @abstractmethod
    def state(self, position: Fluents) -> State:
        """Return the state with these fluents."""

    @abstractmethod
    def term(self, code: int) -> Term:
        """Return the GDL term of a move."""


class PartialTurn(NamedTuple):
    """A position, and the moves of the roles that have already chosen."""

    fluents: Fluents
    chosen: tuple[tuple[Term, Term], ...] = ()


@dataclass
class MutablePosition:
    """A state that ``play`` modifies in place."""

    turn: PartialTurn


class TurnBasedRules(ContractRules):
    """A turn-based game played by the GDL interpreter.

    Roles with a choice choose one after another, the searching role first: the others are assumed to know its move,
    which is the pessimistic assumption.
    """

    max_children = 4096
    constant_sum = False  # goals can have any sum

    def __init__(self, interpreter: Interpreter, first: Term) -> None:
        self.interpreter = interpreter
        self.roles = tuple(role for role in interpreter.roles if role != RANDOM)
        self.order = tuple(sorted(interpreter.roles, key=lambda role: (role != first, role == RANDOM)))
        self.players = len(self.roles)
        self.moves: list[tuple[Term, Term]] = []
        self._codes: dict[tuple[Term, Term], int] = {}

    def _code(self, role: Term, move: Term) -> int:
        code = self._codes.setdefault((role, move), len(self.moves))
        if code == len(self.moves):
            self.moves.append((role, move))
        return code

    def _next_role(self, turn: PartialTurn) -> Term | None:
        """Return the next role with a choice, or None."""
        done = dict(turn.chosen)
        for role in self.order:
            if role not in done and len(self.interpreter.legal(turn.fluents, role)) > 1:
                return role
        return None

    def start(self) -> MutablePosition:
        return MutablePosition(PartialTurn(self.interpreter.initial()))

    def clone(self, state: MutablePosition) -> MutablePosition:
        return MutablePosition(state.turn)

    def over(self, state: MutablePosition) -> bool:
        """Whether the game has ended, or a role has no legal move."""
        fluents = state.turn.fluents
        return self.interpreter.terminal(fluents) or not all(
            self.interpreter.legal(fluents, role) for role in self.order
        )

    def mover(self, state: MutablePosition) -> int:
        """Return the player who chooses next, or CHANCE; the first player if no role has a choice."""
        role = self._next_role(state.turn)
        if role == RANDOM:
            return CHANCE
        return 0 if role is None else self.roles.index(role)

    def legal(self, state: MutablePosition) -> list[int]:
        """Return the moves of the player who chooses next."""
        role = self._next_role(state.turn) or self.roles[0]
        return [self._code(role, move) for move in self.interpreter.legal(state.turn.fluents, role)]

    def chance_outcomes(self, state: MutablePosition) -> list[tuple[int, float]]:
        """Return the moves of the role ``random`` with equal probabilities."""
        moves = self.interpreter.legal(state.turn.fluents, RANDOM)
        return [(self._code(RANDOM, move), 1.0 / len(moves)) for move in moves]

    def play(self, state: MutablePosition, code: int) -> None:
        """Add a choice. After the last one, play the joint move."""
        turn = PartialTurn(state.turn.fluents, (*state.turn.chosen, self.moves[code]))
        if self._next_role(turn) is None:
            joint = {role: self.interpreter.legal(turn.fluents, role)[0] for role in self.order} | dict(turn.chosen)
            turn = PartialTurn(self.interpreter.next(turn.fluents, joint))
        state.turn = turn

    def scores(self, state: MutablePosition) -> list[float]:
        """Return the goals, scaled to [0, 1]."""
        return [self.interpreter.goal(state.turn.fluents, role) / 100 for role in self.roles]

    def name(self, state: MutablePosition, code: int) -> str:
        """Return the move's term without spaces."""
        del state
        return write(self.moves[code][1]).replace(" ", ",")

    def draw(self, state: MutablePosition) -> str:
        """Return the fluents, one per line."""
        return "\n".join(sorted(map(write, state.turn.fluents)))

    def key(self, state: MutablePosition) -> object:
        return state.turn


class InterpretedRoleGame(RoleGame):
    """A game played by the GDL interpreter."""

    kind = "with the interpreter"

    def __init__(self, rules: Rulesheet, role: Term) -> None:
        self.rules = TurnBasedRules(Interpreter(rules), role)
        self.game = PythonGame("the match", self.rules)
        self.player = self.rules.roles.index(role)

    def state(self, position: Fluents) -> State:
        return State(self.game, MutablePosition(PartialTurn(position)))

    def term(self, code: int) -> Term:
        return self.rules.moves[code][1]


class PropnetRoleGame(RoleGame):
    """A game played by its propnet."""

    def __init__(
        self,
        rules: Rulesheet,
        role: Term,
        limits: GroundingLimits | None = None,
        building: AbstractContextManager[object] | None = None,
    ) -> None:
        self.game: PropnetGame = PropnetGame("the match", load_or_build(rules, limits, building))
        self.player = self.game.roles.index(role)
        self.kind = f"with a propnet of {len(self.game.propnet.gates):,} gates"
        self._places = {base: place for place, base in enumerate(self.game.propnet.bases)}

    def state(self, position: Fluents) -> State:
        data = np.zeros_like(self.game.start())
        for fluent in position:
            place = self._places.get(fluent)  # None: the fluent is irrelevant
            if place is not None:
                data[place >> 6] |= np.uint64(1 << (place & 63))
        return State(self.game, data)

    def term(self, code: int) -> Term:
        return self.game.term(code)


def role_games(
    rules: Rulesheet,
    role: Term,
    limits: GroundingLimits | None = None,
    building: AbstractContextManager[object] | None = None,
) -> Iterator[RoleGame]:
    """Yield games for these rules as soon as they are built: first the interpreter, then the faster propnet.

    ``building`` is held while a propnet is built.
    """
    yield InterpretedRoleGame(rules, role)
    yield PropnetRoleGame(rules, role, limits, building)


__getattr__ = old_attributes(__name__)
