"""Chunk sizes: how much work the compiled loop does between two checks of the clock."""

from __future__ import annotations

from typing import NamedTuple

from ramify.agents.budgets.budget import NO_LIMIT

CHUNK_SECONDS = 0.02  # between two checks of the clock
TIMED_CHUNK_SECONDS = 0.003  # the same with a time limit; a check takes some microseconds
FIRST_CHUNK = 16
GROWTH = 4  # maximum growth from one chunk to the next, with a time limit
FREE_GROWTH = 16  # without one
LAST_SECONDS = 0.0005  # the rest is spent in one chunk: shorter ones are mostly overhead


class Chunk(NamedTuple):
    """Limits of the work between two checks of the clock; the first one reached ends the chunk."""

    work: int  # simulations, or steps of the shape's own counter
    calls: int  # forward-model calls


class ChunkSizer:
    """Computes the size of the next chunk from the speed of the last one.

    Without a time limit chunks grow until they take CHUNK_SECONDS. With a limit the first chunk is a single simulation
    unless the speed is known, and a chunk takes at most half of the remaining time, so overestimating the speed by a
    factor of two does no harm.

    The cost of a simulation can rise a thousandfold between chunks, when a line that ended immediately turns out to be
    bad and playouts of full length follow. The cost of a forward-model call varies by a factor of two if nodes have
    few children, and by seven in Amazons, where the first round at the root adds one node per simulation and the
    second a thousand. Therefore both are limited, and chunks with a time limit are short.
    """

    def __init__(self) -> None:
        self.fastest = 0.0  # simulations per second in the fastest chunk so far
        self.begin()

    def begin(self) -> None:
        """Clear the measured speed: a new search starts, perhaps from a very different position."""
        self.rate = 0.0  # simulations per second in the last chunk; 0: unknown
        self.call_rate = 0.0  # forward-model calls per second in the last chunk

    def measure(self, done: Chunk, seconds: float) -> None:
        """Update the speed from a finished chunk."""
        if done.work:
            self.rate = done.work / max(seconds, 1e-7)
            self.call_rate = done.calls / max(seconds, 1e-7)
            self.fastest = max(self.fastest, self.rate)

    def first(self, seconds: float | None) -> Chunk:
        """Return the first chunk of a search that may take ``seconds``."""
        work = max(1 if seconds is not None else FIRST_CHUNK, self._planned(self.rate, seconds) // 2)
        return Chunk(work, self._calls(seconds))

    def next(self, chunk: Chunk, left: float | None) -> Chunk:
        """Return the chunk after ``chunk``; ``left``: remaining seconds."""
        growth = FREE_GROWTH if left is None else GROWTH
        work = max(1, min(growth * chunk.work, self._planned(self.rate, left)))
        return Chunk(work, self._calls(left))

    def too_late(self, left: float) -> bool:
        """Whether the next simulation would exceed the time limit."""
        return left <= 0 or left * self.rate < 1

    def _calls(self, left: float | None) -> int:
        return NO_LIMIT if left is None or not self.call_rate else max(1, self._planned(self.call_rate, left))

    def _planned(self, rate: float, left: float | None) -> int:
        if left is None:
            return int(rate * CHUNK_SECONDS)
        return int(rate * min(TIMED_CHUNK_SECONDS, left if left < LAST_SECONDS else max(left / 2, LAST_SECONDS)))
