"""Pool that works in this process while that is safe and faster than starting workers.

The records are the same either way; only the time differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from ramify.runs.jobs import Job, Record, expected_seconds
from ramify.runs.pools.local import LocalPool
from ramify.runs.pools.pool import InProcessPool, Pool

START_SECONDS = 3.0  # shorter work is not worth two workers, which take about 2 s to start


class AutoPool:
    """Runs ``jobs`` jobs here; switches to ``workers`` processes once the rest is expected to exceed START_SECONDS."""

    def __init__(self, jobs: int, workers: int) -> None:
        self._pool: Pool = InProcessPool()
        self._jobs = jobs
        self._workers = min(workers, jobs)
        self._done = 0  # jobs done here
        self._spent = 0.0  # seconds for them

    @property
    def in_process(self) -> bool:
        """Whether no worker has been started."""
        return isinstance(self._pool, InProcessPool)

    def capacity(self) -> int:
        return self._pool.capacity()

    def submit(self, jobs: Sequence[Job]) -> None:
        """Submit the jobs, starting workers first if that pays off. Jobs here are never pending at that point."""
        apart = any(getattr(job, "apart", False) for job in jobs)
        if self.in_process and (apart or (self._workers > 1 and self._rest(jobs[0]) > START_SECONDS)):
            self._pool = LocalPool(self._workers)
        self._pool.submit(jobs)

    def _rest(self, job: Job) -> float:
        """Estimate the seconds of the remaining jobs here; 0 for a single one, which workers cannot speed up."""
        left = self._jobs - self._done
        if left == 1:
            return 0.0
        if left < 1:  # more than announced, e.g. tuning trials: assume as much again
            return self._spent
        return left * (self._spent / self._done if self._done else expected_seconds(job))

    def collect(self, seconds: float) -> list[Record]:
        began = perf_counter()
        records = self._pool.collect(seconds)
        if self.in_process:
            self._done += len(records)
            self._spent += perf_counter() - began
        return records

    def close(self) -> None:
        self._pool.close()
