"""What one search may take of a running clock."""

from __future__ import annotations

import math

from ramify.agents.budgets.clock import Clock
from ramify.strategies.base import Timing

MAX_MOVE_SHARE = 1 / 5  # of what is usable, for one move: a search that takes five times as long still ends in time
MIN_MOVE_SECONDS = 0.001  # seconds of a move, where a fifth is more
RESERVED_MARGIN_SHARE = 3 / 4  # of the margin, which not even a minimal search takes
MIN_SIMULATIONS = 2  # simulations: where there is no time for them there is no search


class MoveTime:
    """The seconds of one search, as the agent's timing divides them; 0 means: move at once.

    Whatever the timing says, a move gets no more than LARGEST of what is usable, nor more than ``most``. When nothing
    is usable a minimal search of SHORTEST or less takes it from the rest of the margin. There is no search where
    two simulations, at ``rate`` a second if that is known, would not end in time. A timing that is exact has what it
    says as long as that is usable, and then nothing.
    """

    def __init__(self, clock: Clock, timing: Timing, most: float | None = None, rate: float = 0.0) -> None:
        self.clock = clock
        self.timing = timing
        self.increment = clock.increment
        self.usable = self._unless_too_few(clock.usable, rate)
        self.most = math.inf if most is None else most
        spared = max(0.0, clock.remaining - RESERVED_MARGIN_SHARE * clock.margin)
        self.least = (
            0.0
            if timing.uncapped
            else self._unless_too_few(min(MIN_MOVE_SECONDS, spared * MAX_MOVE_SHARE, self.most), rate)
        )
        self.seconds = clock.planned = self._within(timing.seconds(self.usable, self.increment))

    def extended(self, moves_left: float) -> float:
        """The seconds in all, when the search has seen how many own moves there are to come."""
        more = self.timing.extended_seconds(self.seconds, self.usable, self.increment, moves_left)
        self.clock.planned = max(self.seconds, self._within(more))
        return self.clock.planned

    def _within(self, seconds: float) -> float:
        largest = self.usable * (1.0 if self.timing.uncapped else MAX_MOVE_SHARE)
        return max(self.least, min(max(seconds, MIN_MOVE_SECONDS), largest, self.most))

    @staticmethod
    def _unless_too_few(seconds: float, rate: float) -> float:
        return 0.0 if 0.0 < rate * seconds < MIN_SIMULATIONS else seconds
