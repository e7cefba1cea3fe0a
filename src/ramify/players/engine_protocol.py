"""Base class of engine protocols: the messages exchanged with an engine in one game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from ramify.agents.budgets.clock import Clock
from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.contract.game import Game, State
from ramify.players.engine_process import EngineProcess, SecondsLeft
from ramify.players.faults import Fault, quoted


@dataclass(frozen=True)
class Seat:
    """A player's seat in one game."""

    game: Game
    number: int  # from 0
    seed: int
    start: str  # text of the start position; empty: the game's initial state
    limits: PlayerLimits


class EngineProtocol(ABC):
    """One game with an engine. Raises ``Fault`` for errors of the engine."""

    def __init__(self, process: EngineProcess, seat: Seat) -> None:
        self.process = process
        self.seat = seat

    @abstractmethod
    def begin(self, left: SecondsLeft) -> None:
        """Send the game and wait until the engine is ready."""

    @abstractmethod
    def request_move(self, state: State, clock: Clock | None, left: SecondsLeft) -> int:
        """Return the code of the engine's move. May raise ``Resignation``."""

    def reject_unsolicited_output(self) -> None:
        """Raise Fault if the engine has written anything without being asked."""
        while (line := self.process.pending_line()) is not None:
            if not self.is_ignorable(line):
                raise Fault(f"wrote {quoted(line)} without being asked")

    @abstractmethod
    def is_ignorable(self, line: str) -> bool:
        """Whether a line is allowed at any time."""

    @abstractmethod
    def closing_message(self, scores: Sequence[float] | None) -> str:
        """Return the closing message. ``scores`` is None if the game did not finish."""


def code_of(state: State, name: str, player: int) -> int:
    """Return the code of a player's move. Raise Fault if it is not legal."""
    for code in state.codes(player):
        if state.game.move_name(state.data, code) == name:
            return code
    raise Fault(f"played {quoted(name)}, which is not legal")
