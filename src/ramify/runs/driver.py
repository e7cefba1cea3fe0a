"""Gives jobs to a pool, stores what comes back, keeps count, and stops when there is nothing left to learn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from itertools import islice
from time import monotonic
from typing import Generic, TypeVar

from ramify.runs.interrupts import deferring_sigint
from ramify.runs.jobs import Job, Record
from ramify.runs.pools.pool import Pool
from ramify.runs.store import Store

WAIT_SECONDS = 0.25


class Aggregator(ABC):
    """Keeps count of finished jobs, also of earlier sittings: what is known so far."""

    @abstractmethod
    def add(self, records: Iterable[Record]) -> None:
        """Take note of finished jobs."""

    @property
    @abstractmethod
    def done(self) -> int:
        """Jobs finished."""

    @property
    def is_decided(self) -> bool:
        """Whether no more jobs are needed, although some are left."""
        return False


K = TypeVar("K", bound=Aggregator)
R = TypeVar("R")


class RowKeeper(Aggregator, Generic[R]):
    """Keeps all rows, each as ``read`` makes it from a record."""

    def __init__(self, read: Callable[[Record], R]) -> None:
        self.rows: list[R] = []
        self._read = read

    def add(self, records: Iterable[Record]) -> None:
        """Add the rows of finished jobs."""
        self.rows += map(self._read, records)

    @property
    def done(self) -> int:
        """Jobs finished."""
        return len(self.rows)


class Driver(Generic[K]):
    """One sitting's work at a run of any kind of jobs."""

    def __init__(self, store: Store, keeper: K, total: int) -> None:
        self.store = store
        self.keeper = keeper
        self.total = total  # jobs wanted, also of earlier sittings
        self.played = 0  # in this sitting
        self._first = 0  # of them, when the clock of `rate` started: with the first jobs, so that no start counts
        self._began = monotonic()
        keeper.add(store.records())

    @property
    def done(self) -> int:
        """Jobs finished, also in earlier sittings."""
        return self.keeper.done

    @property
    def decided(self) -> bool:
        """Whether no more jobs are needed, although some are left."""
        return self.keeper.is_decided

    def jobs_per_second(self) -> float:
        """Jobs a second in this sitting."""
        return (self.played - self._first) / max(monotonic() - self._began, 1e-9)

    def seconds_left(self) -> float | None:
        """Until all jobs are done, if it goes on like this; None while nobody knows."""
        return max(0, self.total - self.done) / self.jobs_per_second() if self.played > self._first else None

    def run(self, jobs: Iterable[Job], pool: Pool, watch: Callable[[Driver[K]], object]) -> None:
        """Do the jobs; ``watch`` is called whenever some may have come back. In the end the pool is always closed."""
        try:
            self._run(jobs, pool, watch)
        finally:
            pool.close()
            self.store.flush()

    def _run(self, jobs: Iterable[Job], pool: Pool, watch: Callable[[Driver[K]], object]) -> None:
        waiting = iter(jobs)
        given = taken = 0
        while not self.decided:
            new = list(islice(waiting, pool.capacity()))
            if new:
                pool.submit(new)
                given += len(new)
            elif given == taken:
                return
            records = pool.collect(WAIT_SECONDS)
            with deferring_sigint():  # what is stored is counted, and what is counted is stored
                if records and not self.played:
                    self._first, self._began = len(records), monotonic()
                taken += len(records)
                self.played += len(records)
                self.store.add(records)
                self.keeper.add(records)
            watch(self)
