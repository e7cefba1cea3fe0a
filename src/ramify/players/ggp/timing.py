"""Safety margins of a manager's clock, for network delays and a busy machine."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

MARGIN_SHARE = 0.05  # of the clock
MIN_MARGIN, MAX_MARGIN = 0.4, 2.0  # seconds
MAX_SHORT_SHARE = 0.4  # maximum share of a very short clock
REPLY_SHARE = 0.7  # of the margin; reserved for the reply after the search has ended or should have
LAST_SHARE = 0.65  # of the margin; reserved for a reply without the process of the match
MAX_MARGIN_SHARE = 0.7  # maximum share of the clock, however late searches end
LATENESS_DECAY = 0.9  # per turn
MANAGER_TIMEOUT = 60.0  # seconds of silence, in addition to the longer clock, after which the manager counts as gone


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

    def last_moment(self, arrived: float) -> float:
        """Return the time at which a player answers alone, because the process of the match does not."""
        return arrived + self.clock - LAST_SHARE * self.margin

    def ended(self, late: float) -> None:
        """Record that a search ended ``late`` seconds after its deadline."""
        self._late = max(late, LATENESS_DECAY * self._late)


class ManagerClock:
    """Time since the manager's last message, and since the match last advanced."""

    def __init__(self, start_clock: float, play_clock: float) -> None:
        self.longest_wait = max(start_clock, play_clock)  # a manager waits this long for other players
        self.play_clock = play_clock
        self.next_turn = monotonic() + start_clock  # when it is due
        self.heard()

    def heard(self) -> None:
        """Record a message."""
        self.last_message = monotonic()

    def advanced(self) -> None:
        """Record that a turn has begun. Repeated and meaningless messages begin none."""
        self.next_turn = monotonic() + self.play_clock

    @property
    def overdue(self) -> float:
        """Seconds since the next turn should have begun; negative if it is not due yet."""
        return monotonic() - self.next_turn

    @property
    def silent(self) -> bool:
        """Whether the manager has been silent for so long that it counts as gone."""
        return monotonic() - self.last_message > self.longest_wait + MANAGER_TIMEOUT
