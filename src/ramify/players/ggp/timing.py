"""How much of a manager's clock is kept back, for the way there and back and for a busy machine."""

from __future__ import annotations

from dataclasses import dataclass

MARGIN_SHARE = 0.05  # of the clock
MIN_MARGIN, MAX_MARGIN = 0.4, 2.0  # seconds
MAX_SHORT_SHARE = 0.4  # no more than this share of a very short clock
REPLY_SHARE = 0.7  # of the margin, for what is left to do when the search has ended or should have
MAX_MARGIN_SHARE = 0.7  # of the clock is the most that is kept back, however late searches end
LATENESS_DECAY = 0.9  # of the memory of a search that ended late, from turn to turn


@dataclass(frozen=True)
class Margin:
    """The seconds that are kept back; None: by the length of the clock."""

    seconds: float | None = None

    def for_clock(self, clock: float) -> float:
        """Of one turn."""
        wanted = min(MAX_MARGIN, max(MIN_MARGIN, MARGIN_SHARE * clock)) if self.seconds is None else self.seconds
        return min(wanted, MAX_SHORT_SHARE * clock)


class TurnTimes:
    """The moments of a turn, by the monotonic clock; searches that end late make the next ones shorter."""

    def __init__(self, clock: float, margin: Margin) -> None:
        self.clock = clock
        self.margin = margin.for_clock(clock)
        self._late = 0.0  # seconds by which searches end after their time

    def deadline(self, arrived: float) -> float:
        """When the search of a turn is to end."""
        return arrived + self.clock - min(self.margin + self._late, max(self.margin, MAX_MARGIN_SHARE * self.clock))

    def latest(self, arrived: float) -> float:
        """When an answer must go out, whatever the search does."""
        return arrived + self.clock - REPLY_SHARE * self.margin

    def ended(self, late: float) -> None:
        """A search has ended so many seconds after its time."""
        self._late = max(late, LATENESS_DECAY * self._late)
