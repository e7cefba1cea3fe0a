"""Jobs done in this process while that is quicker than starting workers, and safe.

Whoever does a job, the same record comes out, so only time depends on the choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from ramify.runs.jobs import Job, Record, expected_seconds
from ramify.runs.pools.local import LocalPool
from ramify.runs.pools.pool import InProcessPool, Pool

START_SECONDS = 3.0  # work that is done here sooner than by two workers, which take about 2 s to start


class AutoPool:
    """``jobs`` jobs: all done here, or, as soon as more than a little is left to do, by ``workers`` processes."""

    def __init__(self, jobs: int, workers: int) -> None:
        self._pool: Pool = InProcessPool()
        self._jobs = jobs
        self._workers = min(workers, jobs)
        self._done = 0  # here, and the seconds they took:
        self._spent = 0.0

    @property
    def in_process(self) -> bool:
        """Whether no worker has been started."""
        return isinstance(self._pool, InProcessPool)

    def capacity(self) -> int:
        """As the one who works says."""
        return self._pool.capacity()

    def submit(self, jobs: Sequence[Job]) -> None:
        """Hand them on; nothing is in flight while the choice is open."""
        apart = any(getattr(job, "apart", False) for job in jobs)
        if self.in_process and (apart or (self._workers > 1 and self._rest(jobs[0]) > START_SECONDS)):
            self._pool = LocalPool(self._workers)
        self._pool.submit(jobs)

    def _rest(self, job: Job) -> float:
        """How many seconds the rest would take here; a last job takes no longer here than in a worker."""
        left = self._jobs - self._done
        if left == 1:
            return 0.0
        if left < 1:  # more than was announced, as the games of one trial after another: as much again
            return self._spent
        return left * (self._spent / self._done if self._done else expected_seconds(job))

    def collect(self, seconds: float) -> list[Record]:
        """What is finished."""
        began = perf_counter()
        records = self._pool.collect(seconds)
        if self.in_process:
            self._done += len(records)
            self._spent += perf_counter() - began
        return records

    def close(self) -> None:
        """Stop at once."""
        self._pool.close()
