"""How much a worker does before it looks at the clock again."""

from __future__ import annotations

from typing import NamedTuple

from ramify.agents.budgets.budget import NO_LIMIT

CHUNK_SECONDS = 0.02  # how long Python waits between two looks at the clock
TIMED_CHUNK_SECONDS = 0.003  # the same where time is limited; a look takes some microseconds
FIRST_CHUNK = 16
GROWTH = 4  # of a chunk over the one before where time is limited
FREE_GROWTH = 16  # where it is not
LAST_SECONDS = 0.0005  # when so little is left it is spent in one chunk: shorter ones are mostly overhead


class Chunk(NamedTuple):
    """What is done between two looks at the clock; the first limit to be reached ends it."""

    work: int  # simulations, or what else the loop counts
    calls: int  # forward-model calls


class ChunkSizer:
    """The size of the next chunk, from the speed of the last one.

    Chunks of a search without a time limit grow until they take CHUNK_SECONDS. With one the first chunk is a single
    simulation, unless the speed is known, and a chunk takes at most half of the time that is left: a speed that was
    overestimated twice does no harm.

    What a simulation costs may rise a thousandfold from one chunk to the next, when a line that ends at once turns out
    to be bad and playouts of full length follow. What a forward-model call costs stays within a factor of two where
    nodes have few children, and of seven in Amazons, where the first round at the root adds one node a simulation and
    the second a thousand. So both are limited, and chunks of limited time are short.
    """

    def __init__(self) -> None:
        self.fastest = 0.0  # simulations a second in the fastest chunk so far
        self.begin()

    def begin(self) -> None:
        """Forget the speed: a search begins, and its position may be unlike the last one's."""
        self.rate = 0.0  # simulations a second in the last chunk; 0: unknown
        self.call_rate = 0.0  # forward-model calls a second in the last chunk

    def measure(self, done: Chunk, seconds: float) -> None:
        """Take note of a chunk."""
        if done.work:
            self.rate = done.work / max(seconds, 1e-7)
            self.call_rate = done.calls / max(seconds, 1e-7)
            self.fastest = max(self.fastest, self.rate)

    def first(self, seconds: float | None) -> Chunk:
        """The first chunk, with so many seconds to spend."""
        work = max(1 if seconds is not None else FIRST_CHUNK, self._planned(self.rate, seconds) // 2)
        return Chunk(work, self._calls(seconds))

    def next(self, chunk: Chunk, left: float | None) -> Chunk:
        """The chunk after one that was planned so."""
        growth = FREE_GROWTH if left is None else GROWTH
        work = max(1, min(growth * chunk.work, self._planned(self.rate, left)))
        return Chunk(work, self._calls(left))

    def too_late(self, left: float) -> bool:
        """Whether the next simulation would not end in time."""
        return left <= 0 or left * self.rate < 1

    def _calls(self, left: float | None) -> int:
        return NO_LIMIT if left is None or not self.call_rate else max(1, self._planned(self.call_rate, left))

    def _planned(self, rate: float, left: float | None) -> int:
        if left is None:
            return int(rate * CHUNK_SECONDS)
        return int(rate * min(TIMED_CHUNK_SECONDS, left if left < LAST_SECONDS else max(left / 2, LAST_SECONDS)))
