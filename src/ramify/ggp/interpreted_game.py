"""A game of the contract that is played by the interpreter, for rules that nothing faster can play.

A position belongs to the role that has more than one legal move, all others doing what they must; where nobody has a
choice, to the first role. Where several have, they choose at once, or, in a game that was taken for one of turns, one
after another. ``random`` is chance, all its moves equally likely; where players have one, too, it comes last.
"""

from __future__ import annotations

from collections.abc import Sequence

from ramify.contract.python_game import PythonGame
from ramify.contract.python_rules import CodedRules, PythonGenerator
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.errors import RamifyError
from ramify.ggp.interpreter import Fluents, Interpreter
from ramify.ggp.kif import Term, write
from ramify.ggp.move_names import move_name
from ramify.ggp.rules import RANDOM, Rulesheet

MAX_MOVES = 1 << 14  # of one position; a tree keeps this much room free
PROBE_GAMES, PROBE_PLIES = 3, 20  # random games, and plies of each, that tell whether players take turns


class GdlPosition:
    """What is true, who has chosen a move already, and what else follows."""

    __slots__ = ("chosen", "fluents", "legal", "over")

    def __init__(self, fluents: Fluents, over: bool, legal: dict[Term, list[Term]]) -> None:
        self.fluents = fluents
        self.over = over
        self.legal = legal  # by role; of a role that has chosen, that move; nothing in a position that is over
        self.chosen: tuple[Term, ...] = ()  # roles


class GdlRules(CodedRules):
    """The rules of a GDL game, by an interpreter."""

    max_children = MAX_MOVES
    constant_sum = False  # goals may be anything

    def __init__(self, interpreter: Interpreter, at_once: bool) -> None:
        super().__init__()
        self.interpreter = interpreter
        self.seats = tuple(role for role in interpreter.roles if role != RANDOM)
        self.players = len(self.seats)
        self.simultaneous = at_once
        self.has_chance = len(self.seats) < len(interpreter.roles)
        if not self.seats:
            raise RamifyError(f"{interpreter.rules.name} has no role but '{RANDOM}', and nobody to play")

    def position(self, fluents: Fluents) -> GdlPosition:
        """The position where that is true."""
        over = self.interpreter.terminal(fluents)
        return GdlPosition(fluents, over, {} if over else self.interpreter.all_legal(fluents))

    def choosing_roles(self, state: GdlPosition) -> list[Term]:
        """The roles that have a choice."""
        return [role for role, moves in state.legal.items() if len(moves) > 1]

    def start(self) -> GdlPosition:
        """The initial position."""
        return self.position(self.interpreter.initial())

    def clone(self, state: GdlPosition) -> GdlPosition:
        """An independent copy."""
        copy = GdlPosition(state.fluents, state.over, state.legal)
        copy.chosen = state.chosen
        return copy

    def over(self, state: GdlPosition) -> bool:
        """Whether the game has ended."""
        return state.over

    def mover(self, state: GdlPosition) -> int:
        """Who has a choice."""
        choosing = [seat for seat, role in enumerate(self.seats) if len(state.legal[role]) > 1]
        if choosing:
            return SIMULTANEOUS if self.simultaneous and len(choosing) > 1 else choosing[0]
        return CHANCE if len(state.legal.get(RANDOM, ())) > 1 else 0

    def legal(self, state: GdlPosition) -> list[int]:
        """The legal moves of the player to move."""
        return self.legal_of(state, self.mover(state))

    def legal_of(self, state: GdlPosition, player: int) -> list[int]:
        """The legal moves of a player."""
        return [self.code(move) for move in state.legal[self.seats[player]]]

    def chance_outcomes(self, state: GdlPosition) -> list[tuple[int, float]]:
        """The moves of ``random``."""
        moves = state.legal[RANDOM]
        return [(self.code(move), 1.0 / len(moves)) for move in moves]

    def play(self, state: GdlPosition, code: int) -> None:
        """Choose a move; when nobody has a choice any more, all make theirs."""
        mover = self.mover(state)
        self._choose(state, {RANDOM if mover == CHANCE else self.seats[mover]: self.values[code]})

    def play_joint(self, state: GdlPosition, codes: Sequence[int]) -> None:
        """Choose everybody's moves."""
        self._choose(state, {role: self.values[code] for role, code in zip(self.seats, codes, strict=True)})

    def _choose(self, state: GdlPosition, moves: dict[Term, Term]) -> None:
        state.legal = state.legal | {role: [move] for role, move in moves.items()}
        state.chosen += tuple(moves)
        if not self.choosing_roles(state):
            fluents = self.interpreter.next(state.fluents, {role: one for role, (one,) in state.legal.items()})
            after = self.position(fluents)
            state.fluents, state.over, state.legal, state.chosen = after.fluents, after.over, after.legal, ()

    def scores(self, state: GdlPosition) -> list[float]:
        """Goals, of 100."""
        return [self.interpreter.goal(state.fluents, role) / 100.0 for role in self.seats]

    def name(self, state: GdlPosition, code: int) -> str:
        """The name of a move."""
        del state
        return move_name(self.values[code])

    def draw(self, state: GdlPosition) -> str:
        """What is true, a line each, and what was chosen."""
        return "\n".join(self.key(state))

    def key(self, state: GdlPosition) -> tuple[str, ...]:
        """What is true and what was chosen."""
        chosen = (write(("does", role, *state.legal[role])) for role in state.chosen)
        return (*sorted(map(write, state.fluents)), *chosen)


def interpreted_game(rules: Rulesheet, name: str, at_once: bool | None = None) -> PythonGame:
    """The game of some rules, known by ``name``; random games tell whether moves are made at once if nobody does."""
    interpreter = Interpreter(rules)
    if at_once is None:
        at_once = has_simultaneous_moves(interpreter)
    return PythonGame(name, GdlRules(interpreter, at_once))


def has_simultaneous_moves(interpreter: Interpreter) -> bool:
    """Whether several roles have a choice in some position of a few random games, which are always the same."""
    rules = GdlRules(interpreter, at_once=True)
    random = PythonGenerator(0)
    for _ in range(PROBE_GAMES if rules.players > 1 else 0):
        state = rules.start()
        for _ in range(PROBE_PLIES):
            if state.over:
                break
            if rules.mover(state) == SIMULTANEOUS:
                return True
            rules.random_ply(state, random)
    return False
