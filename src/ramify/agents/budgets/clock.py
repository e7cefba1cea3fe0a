"""A side's clock for a whole game."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

MARGIN = 0.1  # seconds that are kept back of any clock,
MARGIN_SHARE = 1 / 20  # or this part of its main time, where that is more; of a very short clock at most half;
OVERRUN_FACTOR = 3  # or so many times what a move of this game took beyond its plan,
MAX_MARGIN_SHARE = 1 / 3  # but no more of the main time than this for it


class Clock:
    """What is left of a side's time; it runs between ``start`` and ``stop``, which adds the increment.

    A margin is kept back, and a side plans with what is ``usable``. The margin pays for what nobody can foresee, a
    machine that is busy with something else. ``planned`` is what the side means to spend on the move; a machine that
    was busy once may be so again, so the margin grows with what a move took beyond that.
    """

    def __init__(self, seconds: float, increment: float = 0.0, now: Callable[[], float] = perf_counter) -> None:
        self.increment = increment
        self.now = now
        self.margin = min(max(MARGIN, seconds * MARGIN_SHARE), seconds / 2)
        self.planned = 0.0
        self._most_kept = seconds * MAX_MARGIN_SHARE
        self.expired = False  # whether a move took longer than was left
        self._left = seconds
        self._began: float | None = None

    @property
    def remaining(self) -> float:
        """Seconds left, at this moment."""
        return self._left if self._began is None else self._left - (self.now() - self._began)

    @property
    def usable(self) -> float:
        """Seconds left without the margin."""
        return max(0.0, self.remaining - self.margin)

    def start(self) -> None:
        """It is this side's turn."""
        self.planned = 0.0
        self._began = self.now()

    def stop(self) -> float:
        """The side has moved; the seconds that it took."""
        if self._began is None:
            return 0.0
        spent = self.now() - self._began
        self._began = None
        self._left -= spent
        self.expired = self.expired or self._left < 0
        self._left += self.increment
        self.margin = max(self.margin, min(OVERRUN_FACTOR * (spent - self.planned), self._most_kept))
        return spent
