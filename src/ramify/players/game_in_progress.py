"""A game as it is played: the one loop of matches, contests, experiments and the terminal.

The loop knows whose turn it is, draws chance, asks whoever moves, one player or all of them, and lets everybody follow
the move. A ``GamePolicy`` has what differs: limits, faults, the order of asking, and what is recorded or shown. Clocks
belong to the players; one whose time is up loses, unless its limits let it play on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from ramify.contract.game import Code, Game, State
from ramify.contract.python_rules import PythonGenerator
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.players.endings import FORFEIT, LIMIT, OVER, RESIGNED, TIME, IrregularLoss
from ramify.players.engine_protocol import Seat
from ramify.players.faults import Fault, Resignation
from ramify.players.seated import SeatedPlayer

Chance = Callable[[State], int]  # the outcome in a position where chance moves
Spent = int | list[int]  # simulations for a move; of each seat where everybody moves
T = TypeVar("T")


class TakenBack(Exception):  # noqa: N818  (nothing is wrong with it)
    """A player takes moves back instead of moving: the game goes on in an earlier position."""

    def __init__(self, state: State) -> None:
        super().__init__("moves were taken back")
        self.state = state


class GamePolicy:
    """What differs between the uses of the loop; these defaults play to the end."""

    def at_limit(self, state: State) -> bool:
        """Whether a game that is not over ends here, as a draw."""
        del state
        return False

    def adjudicated(self, state: State) -> IrregularLoss | None:
        """Who has lost in this position before anybody moves, if anybody has."""
        del state
        return None

    def loss(self, seat: int, error: Exception) -> IrregularLoss | None:
        """What an error of a player costs it; None raises the error."""
        if isinstance(error, Fault):
            return IrregularLoss(seat, TIME if error.late else FORFEIT, error.reason)
        return IrregularLoss(seat, RESIGNED) if isinstance(error, Resignation) else None

    def asking_order(self, players: int) -> Iterable[int]:
        """The seats in the order in which they are asked where everybody moves; nobody learns what others chose."""
        return range(players)

    def before_move(self, state: State) -> None:
        """Called before every move, chance's too."""

    def after_move(self, before: State, code: Code, after: State, spent: Spent) -> None:
        """Called after every move, chance's too."""


class GameInProgress:
    """A game from a position on, between ``sides`` in their ``seats``."""

    def __init__(
        self, start: State, seats: Sequence[Seat], sides: Sequence[SeatedPlayer], chance: Chance, policy: GamePolicy
    ) -> None:
        self.state = start
        self.seats = seats
        self.sides = sides
        self.chance = chance
        self.policy = policy
        self.lost: IrregularLoss | None = None

    @property
    def game(self) -> Game:
        """The rules."""
        return self.state.game

    def play(self) -> tuple[float, ...]:
        """Play to the end; the scores. All players are closed, whatever happens."""
        scores: tuple[float, ...] | None = None
        try:
            self._play()
            scores = self.scores()
        finally:
            for seat, side in enumerate(self.sides):
                side.close(None if self.lost is not None and self.lost.seat == seat else scores)
        return scores

    def _play(self) -> None:
        try:
            for seat, side in zip(self.seats, self.sides, strict=True):
                self._guarded(seat.number, side.begin, seat)
            while self._goes_on():
                self._ply()
        except _LostError as error:
            self.lost = error.loss

    def _goes_on(self) -> bool:
        self.lost = self.lost or self.policy.adjudicated(self.state)
        return self.lost is None and not self.state.over and not self.policy.at_limit(self.state)

    def _ply(self) -> None:
        before = self.state
        self.policy.before_move(before)
        try:
            code, spent = self._move(before)
        except TakenBack as back:
            self.state = back.state
            return
        data = self.game.after(before.data, code)
        self.state = State(self.game, data, (*before.history, before.move_of(code).name))
        self.policy.after_move(before, code, self.state, spent)
        for seat, side in enumerate(self.sides):
            self._guarded(seat, side.on_move, self.state, code)

    def _move(self, state: State) -> tuple[Code, Spent]:
        mover = state.to_move
        if mover == CHANCE:
            return self.chance(state), 0
        if mover != SIMULTANEOUS:
            return self._chosen(mover, state)
        chosen = {seat: self._chosen(seat, state) for seat in self.policy.asking_order(len(self.sides))}
        in_order = [chosen[seat] for seat in range(len(self.sides))]
        return tuple(code for code, _ in in_order), [spent for _, spent in in_order]

    def _chosen(self, seat: int, state: State) -> tuple[int, int]:
        """The move of a seat, and the simulations that it took.

        Of several whose time runs out in the same moment the one that is latest has lost.
        """
        side = self.sides[seat]
        chosen = self._guarded(seat, side.choose, state, len(state.history))
        if side.loses_on_time:
            rival = None if self.lost is None else self.sides[self.lost.seat].clock
            if rival is None or (side.clock is not None and side.clock.remaining < rival.remaining):
                self.lost = IrregularLoss(seat, TIME)
        return chosen

    def _guarded(self, seat: int, do: Callable[..., T], *given: object) -> T:
        """What a player does; errors become losses as the policy says."""
        try:
            return do(*given)
        except Exception as error:
            loss = self.policy.loss(seat, error)
            if loss is None:
                raise
            raise _LostError(loss) from error

    @property
    def ended(self) -> str:
        """How, as rows say it."""
        return self.lost.ended if self.lost else OVER if self.state.over else LIMIT

    @property
    def faults(self) -> tuple[str, ...]:
        """By seat, why a player has lost."""
        return tuple(self.lost.reason if self.lost and self.lost.seat == seat else "" for seat in self._every_seat())

    def scores(self) -> tuple[float, ...]:
        """By seat; who loses otherwise than by the rules has 0, and everybody else, of however many, has won."""
        if self.lost is not None:
            return tuple(float(seat != self.lost.seat) for seat in self._every_seat())
        return tuple(self.state.scores()) if self.state.over else (0.5,) * self.game.players

    def _every_seat(self) -> range:
        return range(self.game.players)


class _LostError(Exception):
    def __init__(self, loss: IrregularLoss) -> None:
        super().__init__(loss.reason)
        self.loss = loss


def by_dice(dice: PythonGenerator) -> Chance:
    """Chance as a generator draws it."""
    return lambda state: dice.outcome(state.game.chance_outcomes(state.data))
