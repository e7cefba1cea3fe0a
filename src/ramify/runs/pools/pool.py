"""Who carries out jobs. A driver gives them and takes records; it need not know where they ran."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

from ramify.runs.caches import clear_caches
from ramify.runs.jobs import Job, Record, run_job


class Pool(Protocol):
    """Does jobs somewhere. A job that was given is taken once, in any order, unless the pool is closed before.

    Whatever dies inside is replaced and its jobs are done again. A job that cannot be done raises a ``RamifyError``
    from ``take``.
    """

    def capacity(self) -> int:
        """How many more jobs should be given now, so that nobody waits."""

    def submit(self, jobs: Sequence[Job]) -> None:
        """Take these jobs on."""

    def collect(self, seconds: float) -> list[Record]:
        """The jobs finished since the last call; waits up to ``seconds`` for the first."""

    def close(self) -> None:
        """Stop at once; jobs in flight are forgotten."""


PoolMaker = Callable[[int], Pool]  # from the number of jobs to be done


class InProcessPool:
    """Works in this process, one job at each ``take``; for tests, and where processes cannot be started."""

    def __init__(self) -> None:
        clear_caches()
        self._jobs: deque[Job] = deque()

    def capacity(self) -> int:
        """One job at a time."""
        return 1 - len(self._jobs)

    def submit(self, jobs: Sequence[Job]) -> None:
        """Keep them."""
        self._jobs.extend(jobs)

    def collect(self, seconds: float) -> list[Record]:
        """Do one."""
        del seconds
        return [run_job(self._jobs.popleft())] if self._jobs else []

    def close(self) -> None:
        """Forget the jobs."""
        self._jobs.clear()
