"""How many simulations a worker runs before it looks at the clock again."""

from __future__ import annotations

CHUNK_SECONDS = 0.02  # how long Python waits between two looks at the clock
FIRST_CHUNK = 16
LAST_SECONDS = 0.0005  # when so little is left it is spent in one chunk: shorter ones are mostly overhead


class Pace:
    """The size of the next chunk, from the speed of the last one.

    Chunks of a search without a time limit double until they take CHUNK_SECONDS. With one the first chunk is a single
    simulation, unless the speed is known, and a chunk takes at most half of the time that is left: a speed that was
    overestimated twice does no harm.
    """

    def __init__(self) -> None:
        self.rate = 0.0  # simulations a second in the last chunk, also of earlier runs; 0: unknown
        self.fastest = 0.0  # the same in the fastest chunk so far

    def measure(self, simulations: int, seconds: float) -> None:
        """Take note of a chunk."""
        if simulations:
            self.rate = simulations / max(seconds, 1e-7)
            self.fastest = max(self.fastest, self.rate)

    def first(self, seconds: float | None) -> int:
        """Simulations of the first chunk, with so many seconds to spend."""
        return max(1 if seconds is not None else FIRST_CHUNK, self._planned(seconds) // 2)

    def next(self, chunk: int, left: float | None) -> int:
        """Simulations of the chunk after one of ``chunk``."""
        return max(1, min(2 * chunk, self._planned(left)))

    def late(self, left: float) -> bool:
        """Whether the next simulation would not end in time."""
        return left <= 0 or left * self.rate < 1

    def _planned(self, left: float | None) -> int:
        if left is None:
            return int(self.rate * CHUNK_SECONDS)
        return int(self.rate * min(CHUNK_SECONDS, left if left < LAST_SECONDS else max(left / 2, LAST_SECONDS)))
