"""A player's clock for a whole game."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from ramify.old_names import old_members

MARGIN = 0.1  # minimum margin in seconds; at most half of the main time
MARGIN_SHARE = 1 / 20  # margin as a share of the main time, if that is more
OVERRUN_FACTOR = 3  # the margin grows to this many times the worst overrun of a move in this game,
MAX_MARGIN_SHARE = 1 / 3  # up to this share of the main time


@old_members(left="remaining", fallen="expired")
class Clock:
    """A player's remaining time. It runs between ``start`` and ``stop``; ``stop`` adds the increment.

    A margin is reserved; players plan with ``usable`` seconds. The margin covers delays that cannot be predicted, such
    as a busy machine. ``planned`` is the time a player intends to spend on the move. The margin grows with overruns,
    because a machine that was busy once may be busy again.
    """

    def __init__(self, seconds: float, increment: float = 0.0, now: Callable[[], float] = perf_counter) -> None:
        self.increment = increment
        self.now = now
        self.margin = min(max(MARGIN, seconds * MARGIN_SHARE), seconds / 2)
        self.planned = 0.0
        self._max_margin = seconds * MAX_MARGIN_SHARE
        self.expired = False  # whether a move took longer than the remaining time
        self._remaining = seconds
        self._started: float | None = None

    @property
    def remaining(self) -> float:
        """Remaining seconds; may be negative."""
        return self._remaining if self._started is None else self._remaining - (self.now() - self._started)

    @property
    def usable(self) -> float:
        """Remaining seconds minus the margin, at least 0."""
        return max(0.0, self.remaining - self.margin)

    def start(self) -> None:
        """Start the clock: it is the player's turn."""
        self.planned = 0.0
        self._started = self.now()

    def stop(self) -> float:
        """Stop the clock after a move and add the increment. Return the seconds that the move took."""
        if self._started is None:
            return 0.0
        spent = self.now() - self._started
        self._started = None
        self._remaining -= spent
        self.expired = self.expired or self._remaining < 0
        self._remaining += self.increment
        self.margin = max(self.margin, min(OVERRUN_FACTOR * (spent - self.planned), self._max_margin))
        return spent
