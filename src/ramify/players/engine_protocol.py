"""What is said to another program in one game, whatever the language."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from ramify.agents.budgets.clock import Clock
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.contract.game import Game, State
from ramify.players.engine_process import EngineProcess, Left
from ramify.players.faults import Fault, quoted


@dataclass(frozen=True)
class Seat:
    """Where a player sits, and in which game."""

    game: Game
    number: int  # from 0
    seed: int
    start: str  # the position in which the game begins; empty for the game's own
    limits: PlayerLimits


class EngineProtocol(ABC):
    """One game with a program. What the program does wrong is raised as a ``Fault``."""

    def __init__(self, child: EngineProcess, seat: Seat) -> None:
        self.child = child
        self.seat = seat

    @abstractmethod
    def begin(self, left: Left) -> None:
        """Tell what is played, and wait until the program is ready."""

    @abstractmethod
    def request_move(self, state: State, clock: Clock | None, left: Left) -> int:
        """The code of the program's move; it may also raise a ``Resignation``."""

    def reject_unsolicited_output(self) -> None:
        """Find fault with what was written before it was asked for."""
        while (line := self.child.waiting()) is not None:
            if not self.is_ignorable(line):
                raise Fault(f"wrote {quoted(line)} when it was not asked")

    @abstractmethod
    def is_ignorable(self, line: str) -> bool:
        """Whether a line may come at any time."""

    @abstractmethod
    def closing_message(self, scores: Sequence[float] | None) -> str:
        """What is said in the end; the scores are None where the game was not finished."""


def code_of(state: State, name: str, player: int) -> int:
    """The code of a player's move by its name."""
    for code in state.codes(player):
        if state.game.move_name(state.data, code) == name:
            return code
    raise Fault(f"played {quoted(name)}, which is not legal")
