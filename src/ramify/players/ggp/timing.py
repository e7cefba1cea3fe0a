"""Safety margins of a manager's clock, for network delays and a busy machine."""

from __future__ import annotations

from dataclasses import dataclass

MARGIN_SHARE = 0.05  # of the clock
MIN_MARGIN, MAX_MARGIN = 0.4, 2.0  # seconds
MAX_SHORT_SHARE = 0.4  # maximum share of a very short clock
REPLY_SHARE = 0.7  # of the margin; reserved for the reply after the search has ended or should have
MAX_MARGIN_SHARE = 0.7  # maximum share of the clock, however late searches end
LATENESS_DECAY = 0.9  # per turn


@dataclass(frozen=True)
class Margin:
    """Margin in seconds; None: depends on the clock."""

    seconds: float | None = None

    def for_clock(self, clock: float) -> float:
        """Return the margin of a turn."""
        wanted = min(MAX_MARGIN, max(MIN_MARGIN, MARGIN_SHARE * clock)) if self.seconds is None else self.seconds
        return min(wanted, MAX_SHORT_SHARE * clock)


class TurnTimes:
    """Deadlines of a turn (monotonic clock). After a search that ended late, the next ones are shorter."""

    def __init__(self, clock: float, margin: Margin) -> None:
        self.clock = clock
        self.margin = margin.for_clock(clock)
        self._late = 0.0  # seconds by which searches exceed their deadline

    def deadline(self, arrived: float) -> float:
        """Return the deadline of a turn's search."""
        return arrived + self.clock - min(self.margin + self._late, max(self.margin, MAX_MARGIN_SHARE * self.clock))

    def latest(self, arrived: float) -> float:
        """Return the time at which an answer must be sent, even if the search is still running."""
        return arrived + self.clock - REPLY_SHARE * self.margin

    def ended(self, late: float) -> None:
        """Record that a search ended ``late`` seconds after its deadline."""
        self._late = max(late, LATENESS_DECAY * self._late)
