"""Drives a run: submits jobs to a pool, stores and aggregates their rows, stops early once the result is decided."""

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
    """Aggregates the rows of finished jobs, including those of earlier sessions."""

    @abstractmethod
    def add(self, records: Iterable[Record]) -> None:
        """Add the rows of finished jobs."""

    @property
    @abstractmethod
    def done(self) -> int:
        """Number of finished jobs."""

    @property
    def is_decided(self) -> bool:
        """Whether the result is decided, so the remaining jobs are not needed."""
        return False


K = TypeVar("K", bound=Aggregator)
R = TypeVar("R")


class RowCollector(Aggregator, Generic[R]):
    """Collects all rows, each converted from its record by ``read``."""

    def __init__(self, read: Callable[[Record], R]) -> None:
        self.rows: list[R] = []
        self._read = read

    def add(self, records: Iterable[Record]) -> None:
        self.rows += map(self._read, records)

    @property
    def done(self) -> int:
        """Number of finished jobs."""
        return len(self.rows)


class Driver(Generic[K]):
    """Drives one session of a run."""

    def __init__(self, store: Store, aggregator: K, total: int) -> None:
        self.store = store
        self.aggregator = aggregator
        self.total = total  # number of jobs, including finished ones
        self.played = 0  # jobs finished in this session
        self._first = 0  # jobs that arrived before the rate clock started: worker start-up does not count
        self._began = monotonic()
        aggregator.add(store.records())

    @property
    def done(self) -> int:
        """Number of finished jobs, including those of earlier sessions."""
        return self.aggregator.done

    @property
    def decided(self) -> bool:
        """Whether the result is decided, so the remaining jobs are not needed."""
        return self.aggregator.is_decided

    def jobs_per_second(self) -> float:
        """Return the jobs per second in this session."""
        return (self.played - self._first) / max(monotonic() - self._began, 1e-9)

    def seconds_left(self) -> float | None:
        """Estimate the seconds until all jobs are done, or None before the first job has finished."""
        return max(0, self.total - self.done) / self.jobs_per_second() if self.played > self._first else None

    def run(self, jobs: Iterable[Job], pool: Pool, on_progress: Callable[[Driver[K]], object]) -> None:
        """Run the jobs and close the pool. ``on_progress`` is called after each attempt to collect rows."""
        try:
            self._run(jobs, pool, on_progress)
        finally:
            pool.close()
            self.store.flush()

    def _run(self, jobs: Iterable[Job], pool: Pool, on_progress: Callable[[Driver[K]], object]) -> None:
        waiting = iter(jobs)
        submitted = collected = 0
        while not self.decided:
            new = list(islice(waiting, pool.capacity()))
            if new:
                pool.submit(new)
                submitted += len(new)
            elif submitted == collected:
                return
            records = pool.collect(WAIT_SECONDS)
            with deferring_sigint():  # Ctrl-C must not separate storing a row from counting it
                if records and not self.played:
                    self._first, self._began = len(records), monotonic()
                collected += len(records)
                self.played += len(records)
                self.store.add(records)
                self.aggregator.add(records)
            on_progress(self)
