"""A GDL game that is played by the interpreter: for rules whose network would be too large."""

from __future__ import annotations

from typing import NamedTuple

from ramify.contract.rules import Rules as ContractRules
from ramify.contract.uncompiled import UncompiledGame
from ramify.core.engine.tree import CHANCE
from ramify.errors import RamifyError
from ramify.ggp.drawing import drawn
from ramify.ggp.interpreter import Fluents, Interpreter
from ramify.ggp.kif import Term
from ramify.ggp.naming import move_name
from ramify.ggp.rules import RANDOM, Rules


class Position(NamedTuple):
    """What is true, and what the players have chosen where chance is still to move."""

    fluents: Fluents
    chosen: tuple[tuple[Term, Term], ...] = ()


class Table:
    """A position that moves replace."""

    def __init__(self, position: Position) -> None:
        self.position = position


class InterpretedRules(ContractRules):
    """The rules as Python objects; a move's code is its number in the order in which moves were first seen."""

    max_children = 4096  # nobody knows; more are refused when they occur
    move_classes = None

    def __init__(self, name: str, rules: Rules) -> None:
        self.title = name
        self.interpreter = Interpreter(rules)
        self.roles = tuple(role for role in rules.roles if role != RANDOM)
        self.all_roles = rules.roles
        self.players = len(self.roles)
        if not self.players:
            raise RamifyError(f"{name} has no role but random, so there is nobody to search for")
        self._moves: list[tuple[Term, Term]] = []
        self._codes: dict[tuple[Term, Term], int] = {}

    def _code(self, role: Term, move: Term) -> int:
        code = self._codes.setdefault((role, move), len(self._moves))
        if code == len(self._moves):
            self._moves.append((role, move))
        return code

    def start(self) -> Table:
        """A new initial state."""
        return Table(Position(self.interpreter.initial()))

    def clone(self, state: Table) -> Table:
        """An independent copy."""
        return Table(state.position)

    def over(self, state: Table) -> bool:
        """Whether the game has ended; also where somebody has no move."""
        fluents = state.position.fluents
        return self.interpreter.terminal(fluents) or not all(
            self.interpreter.legal(fluents, role) for role in self.all_roles
        )

    def mover(self, state: Table) -> int:
        """The one player who has a choice, or CHANCE; the first player where nobody has."""
        position = state.position
        if position.chosen:
            return CHANCE
        choosing = [
            player for player, role in enumerate(self.roles) if len(self.interpreter.legal(position.fluents, role)) > 1
        ]
        if len(choosing) > 1:
            raise RamifyError(
                f"in {self.title} several players choose at once, which only games that have a network can do"
            )
        if choosing:
            return choosing[0]
        by_chance = RANDOM in self.all_roles and len(self.interpreter.legal(position.fluents, RANDOM)) > 1
        return CHANCE if by_chance else 0

    def legal(self, state: Table) -> list[int]:
        """The moves of the player to move."""
        role = self.roles[self.mover(state)]
        return [self._code(role, move) for move in self.interpreter.legal(state.position.fluents, role)]

    def chances(self, state: Table) -> list[tuple[int, float]]:
        """The moves of `random`, each as likely."""
        moves = self.interpreter.legal(state.position.fluents, RANDOM)
        return [(self._code(RANDOM, move), 1.0 / len(moves)) for move in moves]

    def play(self, state: Table, code: int) -> None:
        """Make a move; everybody else makes the only one there is."""
        position = state.position
        role, move = self._moves[code]
        joint = {one: self.interpreter.legal(position.fluents, one)[0] for one in self.all_roles}
        joint |= {**dict(position.chosen), role: move}
        waits = RANDOM in self.all_roles and role != RANDOM
        if waits and len(self.interpreter.legal(position.fluents, RANDOM)) > 1:
            del joint[RANDOM]
            state.position = Position(position.fluents, tuple(joint.items()))
        else:
            state.position = Position(self.interpreter.next(position.fluents, joint))

    def scores(self, state: Table) -> list[float]:
        """The goals."""
        return [self.interpreter.goal(state.position.fluents, role) / 100 for role in self.roles]

    def name(self, state: Table, code: int) -> str:
        """The move in one word."""
        del state
        return move_name(self._moves[code][1])

    def draw(self, state: Table) -> str:
        """What is true."""
        return drawn(state.position.fluents)

    def key(self, state: Table) -> object:
        """The position itself."""
        return state.position


def interpreted_game(name: str, rules: Rules) -> UncompiledGame:
    """The game of rules, played by the interpreter."""
    return UncompiledGame(name, InterpretedRules(name, rules))
