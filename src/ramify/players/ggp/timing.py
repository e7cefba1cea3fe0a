"""How much of a manager's clock is kept back, for the way there and back and for a busy machine."""

from __future__ import annotations

from dataclasses import dataclass

SHARE = 0.05  # of the clock
LEAST, MOST = 0.3, 2.0  # seconds
OF_SHORT = 0.4  # no more than this share of a very short clock


@dataclass(frozen=True)
class Margin:
    """The seconds that are kept back; None: by the length of the clock."""

    seconds: float | None = None

    def of(self, clock: float) -> float:
        """Of one turn."""
        wanted = min(MOST, max(LEAST, SHARE * clock)) if self.seconds is None else self.seconds
        return min(wanted, OF_SHORT * clock)
