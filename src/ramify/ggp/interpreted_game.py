"""GDL games played by the interpreter, for rules that have no propnet.

The role with more than one legal move is to move, and the others play their only move. If no role has a choice, the
first role is to move. If several have one, the move is simultaneous; in a game treated as turn-based they choose one
after another. ``random`` is chance with a uniform distribution; if players also have a choice, it moves last.
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
from ramify.old_names import note, old_attributes

MAX_MOVES = 1 << 14  # per position; a tree keeps this many nodes free
PROBE_GAMES, PROBE_PLIES = 3, 20  # random games, and plies per game, searched for simultaneous moves


class GdlPosition:
    """A position: true fluents, moves chosen so far, and the legal moves that remain."""

    __slots__ = ("chosen", "fluents", "legal", "over")

    def __init__(self, fluents: Fluents, over: bool, legal: dict[Term, list[Term]]) -> None:
        self.fluents = fluents
        self.over = over
        self.legal = legal  # by role; one move for a role that has chosen; empty in a terminal position
        self.chosen: tuple[Term, ...] = ()  # roles that have chosen


class GdlRules(CodedRules):
    """Rules of a GDL game, evaluated by the interpreter."""

    max_children = MAX_MOVES
    constant_sum = False  # goals need not sum to a constant

    def __init__(self, interpreter: Interpreter, simultaneous: bool) -> None:
        super().__init__()
        self.interpreter = interpreter
        self.seats = tuple(role for role in interpreter.roles if role != RANDOM)
        self.players = len(self.seats)
        self.simultaneous = simultaneous
        self.has_chance = len(self.seats) < len(interpreter.roles)
        if not self.seats:
            raise RamifyError(f"{interpreter.rules.name} has no players: its only role is '{RANDOM}'")

    def position(self, fluents: Fluents) -> GdlPosition:
        over = self.interpreter.terminal(fluents)
        return GdlPosition(fluents, over, {} if over else self.interpreter.all_legal(fluents))

    def choosing_roles(self, state: GdlPosition) -> list[Term]:
        """Return the roles with more than one legal move."""
        return [role for role, moves in state.legal.items() if len(moves) > 1]

    def start(self) -> GdlPosition:
        return self.position(self.interpreter.initial())

    def clone(self, state: GdlPosition) -> GdlPosition:
        copy = GdlPosition(state.fluents, state.over, state.legal)
        copy.chosen = state.chosen
        return copy

    def over(self, state: GdlPosition) -> bool:
        return state.over

    def mover(self, state: GdlPosition) -> int:
        choosing = [seat for seat, role in enumerate(self.seats) if len(state.legal[role]) > 1]
        if choosing:
            return SIMULTANEOUS if self.simultaneous and len(choosing) > 1 else choosing[0]
        return CHANCE if len(state.legal.get(RANDOM, ())) > 1 else 0

    def legal(self, state: GdlPosition) -> list[int]:
        return self.legal_of(state, self.mover(state))

    def legal_of(self, state: GdlPosition, player: int) -> list[int]:
        return [self.code(move) for move in state.legal[self.seats[player]]]

    def chance_outcomes(self, state: GdlPosition) -> list[tuple[int, float]]:
        """Return the moves of ``random``, all equally likely."""
        moves = state.legal[RANDOM]
        return [(self.code(move), 1.0 / len(moves)) for move in moves]

    def play(self, state: GdlPosition, code: int) -> None:
        """Choose a move. When no role has a choice left, play the joint move."""
        mover = self.mover(state)
        self._choose(state, {RANDOM if mover == CHANCE else self.seats[mover]: self.values[code]})

    def play_joint(self, state: GdlPosition, codes: Sequence[int]) -> None:
        self._choose(state, {role: self.values[code] for role, code in zip(self.seats, codes, strict=True)})

    def _choose(self, state: GdlPosition, moves: dict[Term, Term]) -> None:
        state.legal = state.legal | {role: [move] for role, move in moves.items()}
        state.chosen += tuple(moves)
        if not self.choosing_roles(state):
            fluents = self.interpreter.next(state.fluents, {role: one for role, (one,) in state.legal.items()})
            after = self.position(fluents)
            state.fluents, state.over, state.legal, state.chosen = after.fluents, after.over, after.legal, ()

    def scores(self, state: GdlPosition) -> list[float]:
        """Return the goals divided by 100."""
        return [self.interpreter.goal(state.fluents, role) / 100.0 for role in self.seats]

    def name(self, state: GdlPosition, code: int) -> str:
        del state
        return move_name(self.values[code])

    def draw(self, state: GdlPosition) -> str:
        return "\n".join(self.key(state))

    def key(self, state: GdlPosition) -> tuple[str, ...]:
        """Return the true fluents and the moves chosen so far."""
        chosen = (write(("does", role, *state.legal[role])) for role in state.chosen)
        return (*sorted(map(write, state.fluents)), *chosen)


def interpreted_game(
    rules: Rulesheet, name: str, simultaneous: bool | None = None, *, at_once: bool | None = None
) -> PythonGame:
    """Return the interpreted game of a rulesheet.

    ``simultaneous``: whether players move simultaneously (default: found by a few random games). ``at_once`` is its
    old name.
    """
    if at_once is not None:
        note("at_once", "simultaneous")
        simultaneous = at_once
    interpreter = Interpreter(rules)
    if simultaneous is None:
        simultaneous = has_simultaneous_moves(interpreter)
    return PythonGame(name, GdlRules(interpreter, simultaneous))


def has_simultaneous_moves(interpreter: Interpreter) -> bool:
    """Return whether several roles have a choice in some position of a few random games with a fixed seed."""
    rules = GdlRules(interpreter, simultaneous=True)
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


__getattr__ = old_attributes(__name__)
