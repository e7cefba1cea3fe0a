"""The game loop of matches, contests, experiments and the terminal.

In each ply the loop draws a chance outcome or asks one player, or all of them, for a move, and notifies every player.
A ``GamePolicy`` defines what differs between uses: limits, faults, the order of asking, and what is recorded or shown.
Clocks belong to the players; a player whose time is up loses unless its limits let it continue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from ramify.contract.game import Code, Game, State
from ramify.contract.python_rules import PythonGenerator
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.players.endings import FINISHED, FORFEIT, LIMIT, RESIGNED, TIME, IrregularLoss
from ramify.players.engine_protocol import Seat
from ramify.players.faults import Fault, Resignation
from ramify.players.seated import SeatedPlayer

Chance = Callable[[State], int]  # draws the outcome of a chance node
Spent = int | list[int]  # simulations for a move; per seat for a joint move
T = TypeVar("T")


class TakenBack(Exception):  # noqa: N818  (not an error)
    """A player takes moves back instead of moving. The game continues from ``state``."""

    def __init__(self, state: State) -> None:
        super().__init__("moves were taken back")
        self.state = state


class GamePolicy:
    """What differs between uses of the loop. These defaults play to the end."""

    def at_limit(self, state: State) -> bool:
        """Whether an unfinished game ends here as a draw."""
        del state
        return False

    def adjudicated(self, state: State) -> IrregularLoss | None:
        """Return a loss in this position before anyone moves, or None."""
        del state
        return None

    def loss(self, seat: int, error: Exception) -> IrregularLoss | None:
        """Return the loss that a player's error causes; None: raise the error."""
        if isinstance(error, Fault):
            return IrregularLoss(seat, TIME if error.late else FORFEIT, error.reason)
        return IrregularLoss(seat, RESIGNED) if isinstance(error, Resignation) else None

    def asking_order(self, players: int) -> Iterable[int]:
        """Return the order in which seats are asked for simultaneous moves. No player sees the others' choices."""
        return range(players)

    def before_move(self, state: State) -> None:
        """Called before every move, including chance outcomes."""

    def after_move(self, before: State, code: Code, after: State, spent: Spent) -> None:
        """Called after every move, including chance outcomes."""


class GameInProgress:
    """A game from ``start``; ``players[k]`` plays in ``seats[k]``."""

    def __init__(
        self, start: State, seats: Sequence[Seat], players: Sequence[SeatedPlayer], chance: Chance, policy: GamePolicy
    ) -> None:
        self.state = start
        self.seats = seats
        self.players = players
        self.chance = chance
        self.policy = policy
        self.lost: IrregularLoss | None = None

    @property
    def game(self) -> Game:
        return self.state.game

    def play(self) -> tuple[float, ...]:
        """Play to the end and return the scores. Always closes all players."""
        scores: tuple[float, ...] | None = None
        try:
            self._play()
            scores = self.scores()
        finally:
            for seat, player in enumerate(self.players):
                player.close(None if self.lost is not None and self.lost.seat == seat else scores)
        return scores

    def _play(self) -> None:
        try:
            for seat, player in zip(self.seats, self.players, strict=True):
                self._call_player(seat.number, player.begin, seat)
            while self._continues():
                self._ply()
        except _LostError as error:
            self.lost = error.loss

    def _continues(self) -> bool:
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
        for seat, player in enumerate(self.players):
            self._call_player(seat, player.on_move, self.state, code)

    def _move(self, state: State) -> tuple[Code, Spent]:
        mover = state.to_move
        if mover == CHANCE:
            return self.chance(state), 0
        if mover != SIMULTANEOUS:
            return self._ask_seat(mover, state)
        chosen = {seat: self._ask_seat(seat, state) for seat in self.policy.asking_order(len(self.players))}
        in_order = [chosen[seat] for seat in range(len(self.players))]
        return tuple(code for code, _ in in_order), [spent for _, spent in in_order]

    def _ask_seat(self, seat: int, state: State) -> tuple[int, int]:
        """Return the move of a seat and its simulations.

        If several players exceed their time at one simultaneous move, the one with the least remaining time loses.
        """
        player = self.players[seat]
        chosen = self._call_player(seat, player.choose, state, len(state.history))
        if player.loses_on_time:
            rival = None if self.lost is None else self.players[self.lost.seat].clock
            if rival is None or (player.clock is not None and player.clock.remaining < rival.remaining):
                self.lost = IrregularLoss(seat, TIME)
        return chosen

    def _call_player(self, seat: int, do: Callable[..., T], *given: object) -> T:
        """Call a player's method. The policy turns errors into losses."""
        try:
            return do(*given)
        except Exception as error:
            loss = self.policy.loss(seat, error)
            if loss is None:
                raise
            raise _LostError(loss) from error

    @property
    def ended(self) -> str:
        """How the game ended, as stored in rows."""
        return self.lost.ended if self.lost else FINISHED if self.state.over else LIMIT

    @property
    def faults(self) -> tuple[str, ...]:
        """Reason of an irregular loss, by seat; empty for the others."""
        return tuple(self.lost.reason if self.lost and self.lost.seat == seat else "" for seat in self._every_seat())

    def scores(self) -> tuple[float, ...]:
        """Return the scores by seat. After an irregular loss the loser gets 0 and every other player 1."""
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
    """Return a function that draws chance outcomes with a generator."""
    return lambda state: dice.outcome(state.game.chance_outcomes(state.data))
