"""A side's clock for a whole game."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

MARGIN = 0.05  # seconds that are kept back of any clock,
KEPT = 1 / 20  # or this part of its main time, where that is more; of a very short clock at most half


class Clock:
    """What is left of a side's time; it runs between ``start`` and ``stop``, which adds the increment.

    A margin is kept back: a side plans with what is ``usable``, and when nothing is, it moves without a search. The
    margin pays for what nobody can foresee, a machine that is busy with something else.
    """

    def __init__(self, seconds: float, increment: float = 0.0, now: Callable[[], float] = perf_counter) -> None:
        self.increment = increment
        self.now = now
        self.margin = min(max(MARGIN, seconds * KEPT), seconds / 2)
        self.fallen = False  # whether a move took longer than was left
        self._left = seconds
        self._began: float | None = None

    @property
    def left(self) -> float:
        """Seconds left, at this moment."""
        return self._left if self._began is None else self._left - (self.now() - self._began)

    @property
    def usable(self) -> float:
        """Seconds left without the margin."""
        return max(0.0, self.left - self.margin)

    def start(self) -> None:
        """It is this side's turn."""
        self._began = self.now()

    def stop(self) -> float:
        """The side has moved; the seconds that it took."""
        if self._began is None:
            return 0.0
        spent = self.now() - self._began
        self._began = None
        self._left -= spent
        self.fallen = self.fallen or self._left < 0
        self._left += self.increment
        return spent
