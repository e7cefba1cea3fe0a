"""The game of a match as a search wants it: a game of the contract, and its positions from what is true in them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ramify.contract.game import Game, State
from ramify.contract.python_game import PythonGame
from ramify.contract.python_rules import PythonRules as ContractRules
from ramify.core.search.tree import CHANCE
from ramify.ggp.interpreter import Fluents, Interpreter
from ramify.ggp.kif import Term, write
from ramify.ggp.propnet_cache import load_or_build
from ramify.ggp.propnet_game import PropnetGame
from ramify.ggp.rules import RANDOM, Rulesheet
from ramify.old_names import old_attributes


class RoleGame(ABC):
    """A game that can be searched for one role."""

    game: Game
    player: int  # the role's number in it
    kind: str  # how it is played, for people

    @abstractmethod
    def state(self, position: Fluents) -> State:
        """The position in which this is true."""

    @abstractmethod
    def term(self, code: int) -> Term:
        """The move of a code, as the rules write it."""


class PartialTurn(NamedTuple):
    """What is true, and what those have chosen who have chosen already."""

    fluents: Fluents
    chosen: tuple[tuple[Term, Term], ...] = ()


@dataclass
class MutablePosition:
    """A position that moves replace."""

    turn: PartialTurn


class TurnsRules(ContractRules):
    """Rules that the interpreter plays, as a game of turns.

    Where several have a choice they choose one after the other, the searching role first: the others are taken to
    know its move, which is the careful way to see it.
    """

    max_children = 4096
    constant_sum = False  # goals may be anything

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

    def _choosing(self, turn: PartialTurn) -> Term | None:
        """Whose choice is next; None where nobody has one."""
        done = dict(turn.chosen)
        for role in self.order:
            if role not in done and len(self.interpreter.legal(turn.fluents, role)) > 1:
                return role
        return None

    def start(self) -> MutablePosition:
        """A new initial state."""
        return MutablePosition(PartialTurn(self.interpreter.initial()))

    def clone(self, state: MutablePosition) -> MutablePosition:
        """An independent copy."""
        return MutablePosition(state.turn)

    def over(self, state: MutablePosition) -> bool:
        """Whether the game has ended; also where somebody has no move."""
        fluents = state.turn.fluents
        return self.interpreter.terminal(fluents) or not all(
            self.interpreter.legal(fluents, role) for role in self.order
        )

    def mover(self, state: MutablePosition) -> int:
        """The player whose choice is next, or CHANCE; the first player where nobody has a choice."""
        role = self._choosing(state.turn)
        if role == RANDOM:
            return CHANCE
        return 0 if role is None else self.roles.index(role)

    def legal(self, state: MutablePosition) -> list[int]:
        """The moves of the player whose choice is next."""
        role = self._choosing(state.turn) or self.roles[0]
        return [self._code(role, move) for move in self.interpreter.legal(state.turn.fluents, role)]

    def chance_outcomes(self, state: MutablePosition) -> list[tuple[int, float]]:
        """The moves of ``random``, each as likely."""
        moves = self.interpreter.legal(state.turn.fluents, RANDOM)
        return [(self._code(RANDOM, move), 1.0 / len(moves)) for move in moves]

    def play(self, state: MutablePosition, code: int) -> None:
        """Make a choice; after the last one everybody's moves are made."""
        turn = PartialTurn(state.turn.fluents, (*state.turn.chosen, self.moves[code]))
        if self._choosing(turn) is None:
            joint = {role: self.interpreter.legal(turn.fluents, role)[0] for role in self.order} | dict(turn.chosen)
            turn = PartialTurn(self.interpreter.next(turn.fluents, joint))
        state.turn = turn

    def scores(self, state: MutablePosition) -> list[float]:
        """The goals."""
        return [self.interpreter.goal(state.turn.fluents, role) / 100 for role in self.roles]

    def name(self, state: MutablePosition, code: int) -> str:
        """The move as text without blanks."""
        del state
        return write(self.moves[code][1]).replace(" ", ",")

    def draw(self, state: MutablePosition) -> str:
        """What is true."""
        return "\n".join(sorted(map(write, state.turn.fluents)))

    def key(self, state: MutablePosition) -> object:
        """The position itself."""
        return state.turn


class InterpretedRoleGame(RoleGame):
    """The game as the interpreter plays it."""

    kind = "by the interpreter"

    def __init__(self, rules: Rulesheet, role: Term) -> None:
        self.rules = TurnsRules(Interpreter(rules), role)
        self.game = PythonGame("the match", self.rules)
        self.player = self.rules.roles.index(role)

    def state(self, position: Fluents) -> State:
        """The position in which this is true."""
        return State(self.game, MutablePosition(PartialTurn(position)))

    def term(self, code: int) -> Term:
        """The move of a code, as the rules write it."""
        return self.rules.moves[code][1]


class PropnetRoleGame(RoleGame):
    """The game as its network plays it."""

    def __init__(self, rules: Rulesheet, role: Term) -> None:
        self.game: PropnetGame = PropnetGame("the match", load_or_build(rules))
        self.player = self.game.roles.index(role)
        self.kind = f"by a network of {len(self.game.propnet.gates):,} gates"
        self._places = {base: place for place, base in enumerate(self.game.propnet.bases)}

    def state(self, position: Fluents) -> State:
        """The position in which this is true."""
        data = np.zeros_like(self.game.start())
        for fluent in position:
            place = self._places.get(fluent)  # none for what never matters
            if place is not None:
                data[place >> 6] |= np.uint64(1 << (place & 63))
        return State(self.game, data)

    def term(self, code: int) -> Term:
        """The move of a code, as the rules write it."""
        return self.game.term(code)


def role_games(rules: Rulesheet, role: Term) -> Iterator[RoleGame]:
    """The ways to play by rules, better and better, each as soon as it is made."""
    yield InterpretedRoleGame(rules, role)
    yield PropnetRoleGame(rules, role)


__getattr__ = old_attributes(__name__)
