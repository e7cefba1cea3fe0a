"""A game as it is played, by whoever sits at it, to its end or until somebody loses otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ramify.agents.side_limits import SideLimits
from ramify.agents.time_control import RANDOM
from ramify.arena.matches.rows import FORFEIT, LIMIT, OVER, RESIGNED, TIME, GameRow, GameSpec
from ramify.contract.game import JOINT, Code, Game, State
from ramify.contract.rules import PythonGenerator
from ramify.core.engine.tree import CHANCE, EVERYBODY
from ramify.players.conversation import Seat, code_of
from ramify.players.faults import Fault, Resignation
from ramify.players.sides import Side
from ramify.runs.seeds import derive

MAX_PLIES = 10_000  # a game that is not over by then is a draw


@dataclass(frozen=True)
class Loss:
    """Who has lost otherwise than by the rules of the game, and how."""

    seat: int
    ended: str
    reason: str = ""


class Table:
    """A game from an opening on. With ``again``, the row of a game, what happened there happens again."""

    def __init__(
        self, game: Game, data: Any, moves: list[str], dice: PythonGenerator, again: GameRow | None = None
    ) -> None:
        self.game = game
        self.data = data
        self.moves = moves
        self.searched: list[int | list[int]] = [0] * len(moves)  # where everybody moves, of each seat
        self.dice = dice
        self.again = again
        self.lost: Loss | None = None
        self._seat = 0  # who is to do something now

    def play(self, sides: Sequence[Side], spec: GameSpec) -> None:
        """Play to the end. What another program does wrong costs it the game, and nobody else anything."""
        try:
            for seat, side in enumerate(sides):
                self._seat = seat
                side.begin(Seat(self.game, seat, derive(spec.seed, "seat", seat), spec.start, spec.limits[seat]))
            while self._goes_on():
                self._ply(sides, self.game.mover(self.data))
        except Fault as fault:
            self.lost = Loss(self._seat, TIME if fault.late else FORFEIT, fault.reason)
        except Resignation:
            self.lost = Loss(self._seat, RESIGNED)

    def _goes_on(self) -> bool:
        if self.lost is None and self.again is not None and len(self.moves) == self.again.plies:
            self.lost = _recorded_loss(self.again)
        return self.lost is None and not self.game.over(self.data) and len(self.moves) < MAX_PLIES

    def _ply(self, sides: Sequence[Side], mover: int) -> None:
        again = self.again
        state = State(self.game, self.data, tuple(self.moves))
        code: Code
        simulations: int | list[int]
        if mover == CHANCE:
            code, simulations = self.dice.outcome(self.game.chances(self.data)), 0
        elif mover == EVERYBODY:
            chosen = [self._chosen(sides, seat, state) for seat in range(len(sides))]
            code, simulations = tuple(code for code, _ in chosen), [spent for _, spent in chosen]
        else:
            code, simulations = self._chosen(sides, mover, state)
        self.moves.append(state.named(code).name)
        self.searched.append(simulations)
        self.data = self.game.after(self.data, code)
        if again is not None and again.ended == TIME and not any(again.faults) and len(self.moves) == again.plies:
            self.lost = Loss(_loser(again), TIME)
        after = State(self.game, self.data, tuple(self.moves))
        for side in sides:
            side.follow(after, code)

    def _chosen(self, sides: Sequence[Side], seat: int, state: State) -> tuple[int, int]:
        """The move of a seat, and the simulations that it took. Where all move at once, nobody knows of the others.

        Of several whose time runs out in the same moment the one that is latest has lost.
        """
        self._seat, ply, again, side = seat, len(self.moves), self.again, sides[seat]
        given = None
        if again is not None:
            spent = again.searched[ply] if ply < again.plies else 1
            given = spent[seat] if isinstance(spent, list) else spent
        chosen = side.choose(state, ply, given)
        if side.fallen and side.limits.on_time != RANDOM:
            rival = sides[self.lost.seat].clock if self.lost else None
            if rival is None or (side.clock is not None and side.clock.left < rival.left):
                self.lost = Loss(seat, TIME)
        return chosen

    @property
    def ended(self) -> str:
        """How, as rows say it."""
        return self.lost.ended if self.lost else OVER if self.game.over(self.data) else LIMIT

    @property
    def faults(self) -> tuple[str, ...]:
        """By seat, why another program has lost."""
        return tuple(
            self.lost.reason if self.lost and self.lost.seat == seat else "" for seat in range(self.game.players)
        )

    def scores(self) -> tuple[float, ...]:
        """By seat; who loses otherwise than by the rules has 0, and everybody else, of however many, has won."""
        if self.lost is not None:
            return tuple(0.0 if seat == self.lost.seat else 1.0 for seat in range(self.game.players))
        return tuple(self.game.scores(self.data)) if self.game.over(self.data) else (0.5,) * self.game.players


def _loser(row: GameRow) -> int:
    """Who lost otherwise than by the rules."""
    return row.scores.index(0.0)


def _recorded_loss(row: GameRow) -> Loss | None:
    """Who lost without another move, as a row has it."""
    if row.ended == RESIGNED:
        return Loss(_loser(row), RESIGNED)
    return next((Loss(seat, row.ended, reason) for seat, reason in enumerate(row.faults) if reason), None)


class RecordedSide(Side):
    """A seat of another program in a game that is repeated: its moves are those of the row."""

    def __init__(self, row: GameRow) -> None:
        super().__init__(SideLimits(simulations=1), row.seed)
        self.row = row

    def choose(self, state: State, ply: int, simulations: int | None = None) -> tuple[int, int]:
        """The move that was played; any, where the row has none."""
        del simulations
        return self.chosen(state, ply, None) if ply < self.row.plies else self.drawn(state, ply)

    def chosen(self, state: State, ply: int, simulations: int | None) -> tuple[int, int]:
        """The same."""
        del simulations
        name = self.row.moves[ply]
        if state.to_move == EVERYBODY:
            name = name.split(JOINT)[self.number]
        return code_of(state, name, self.number), 0
