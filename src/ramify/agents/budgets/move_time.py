"""The share of a running clock that one search may use."""

from __future__ import annotations

import math

from ramify.agents.budgets.clock import Clock
from ramify.agents.strategy_answers import checked_seconds
from ramify.strategies.base import Timing

MAX_MOVE_SHARE = 1 / 5  # of the usable time, for one move: a search that takes five times as long still ends in time
MIN_MOVE_SECONDS = 0.001
RESERVED_MARGIN_SHARE = 3 / 4  # of the margin; not even a minimal search uses it
MIN_SIMULATIONS = 2  # with less time there is no search


class MoveTime:
    """The seconds of one search, as decided by the agent's timing; 0: play a random move without a search.

    Whatever the timing says, a move gets at most MAX_MOVE_SHARE of the usable time and at most ``max_seconds``. If
    nothing is usable, a minimal search of at most MIN_MOVE_SECONDS uses part of the margin. There is no search if
    MIN_SIMULATIONS would not finish in time at ``rate`` simulations per second (0: unknown). An uncapped timing gets
    what it asks for as long as that is usable, and then nothing.
    """

    def __init__(self, clock: Clock, timing: Timing, max_seconds: float | None = None, rate: float = 0.0) -> None:
        self.clock = clock
        self.timing = timing
        self.increment = clock.increment
        self.usable = self._unless_too_few(clock.usable, rate)
        self.max_seconds = math.inf if max_seconds is None else max_seconds
        spared = max(0.0, clock.remaining - RESERVED_MARGIN_SHARE * clock.margin)
        self.min_seconds = (
            0.0
            if timing.uncapped
            else self._unless_too_few(min(MIN_MOVE_SECONDS, spared * MAX_MOVE_SHARE, self.max_seconds), rate)
        )
        self.seconds = clock.planned = self._within(
            checked_seconds(timing, timing.seconds(self.usable, self.increment))
        )

    def extended(self, moves_left: float) -> float:
        """Return the total seconds, now that the search has estimated the player's remaining moves."""
        more = checked_seconds(
            self.timing, self.timing.extended_seconds(self.seconds, self.usable, self.increment, moves_left)
        )
        self.clock.planned = max(self.seconds, self._within(more))
        return self.clock.planned

    def _within(self, seconds: float) -> float:
        largest = self.usable * (1.0 if self.timing.uncapped else MAX_MOVE_SHARE)
        return max(self.min_seconds, min(max(seconds, MIN_MOVE_SECONDS), largest, self.max_seconds))

    @staticmethod
    def _unless_too_few(seconds: float, rate: float) -> float:
        return 0.0 if 0.0 < rate * seconds < MIN_SIMULATIONS else seconds
