"""Jobs done in this process while that is quicker than starting workers.

Whoever does a job, the same record comes out, so only time depends on the choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from ramify.runs.jobs import Job, Record, expected_seconds
from ramify.runs.pools.local import LocalPool
from ramify.runs.pools.pool import HerePool, Pool

START_SECONDS = 3.0  # work that is done here sooner than by two workers, which take about 2 s to start


class ChoosingPool:
    """``jobs`` jobs: all done here, or, as soon as more than a little is left to do, by ``workers`` processes."""

    def __init__(self, jobs: int, workers: int) -> None:
        self._pool: Pool = HerePool()
        self._workers = workers
        self._left = jobs
        self._done = 0  # here, and the seconds they took:
        self._spent = 0.0
        self._asked = False  # whether a job was asked how long it may take

    @property
    def here(self) -> bool:
        """Whether no worker has been started."""
        return isinstance(self._pool, HerePool)

    def room(self) -> int:
        """As the one who works says."""
        return self._pool.room()

    def give(self, jobs: Sequence[Job]) -> None:
        """Hand them on."""
        if not self._asked:
            self._asked = True
            if self._workers > 1 and self._left > 1:
                self._choose(expected_seconds(jobs[0]))
        self._pool.give(jobs)

    def take(self, seconds: float) -> list[Record]:
        """What is finished; after a job of ours, think again."""
        began = perf_counter()
        records = self._pool.take(seconds)
        if self.here and records:
            self._left -= len(records)
            self._done += len(records)
            self._spent += perf_counter() - began
            self._choose(self._spent / self._done)
        return records

    def _choose(self, seconds: float) -> None:
        """Start the workers if the rest takes long, at so many seconds a job; nothing is in flight meanwhile."""
        workers = min(self._workers, self._left)
        if workers > 1 and seconds * self._left > START_SECONDS:
            self._pool = LocalPool(workers)

    def close(self) -> None:
        """Stop at once."""
        self._pool.close()
