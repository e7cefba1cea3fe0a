"""Gives jobs to a pool, stores what comes back, keeps the score, and stops when there is nothing left to learn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from itertools import islice
from time import monotonic
from typing import Self

from ramify.arena.matches.rows import Record
from ramify.arena.matches.tally import PAIRING, Tally
from ramify.runs.jobs import Job
from ramify.runs.pools.pool import Pool
from ramify.runs.store import Store

WAIT_SECONDS = 0.25


class Runner(ABC):
    """One sitting at a run of any kind of jobs."""

    def __init__(self, store: Store, total: int) -> None:
        self.store = store
        self.total = total  # jobs wanted, also of earlier sittings
        self.played = 0  # in this sitting
        self._first = 0  # of them, when the clock of `rate` started: with the first jobs, so that no start counts
        self._began = monotonic()

    @abstractmethod
    def count(self, records: Iterable[Record]) -> None:
        """Take note of finished jobs."""

    @property
    @abstractmethod
    def done(self) -> int:
        """Jobs finished, also in earlier sittings."""

    @property
    def decided(self) -> bool:
        """Whether no more jobs are needed, although some are left."""
        return False

    def rate(self) -> float:
        """Jobs a second in this sitting."""
        return (self.played - self._first) / max(monotonic() - self._began, 1e-9)

    def seconds_left(self) -> float | None:
        """Until all jobs are done, if it goes on like this; None while nobody knows."""
        return max(0, self.total - self.done) / self.rate() if self.played > self._first else None

    def run(self, jobs: Iterable[Job], pool: Pool, watch: Callable[[Self], object]) -> None:
        """Do the jobs; ``watch`` is called after each batch. The pool is closed in the end, whatever happens."""
        try:
            self._run(jobs, pool, watch)
        finally:
            pool.close()
            self.store.flush()

    def _run(self, jobs: Iterable[Job], pool: Pool, watch: Callable[[Self], object]) -> None:
        waiting = iter(jobs)
        given = taken = 0
        while not self.decided:
            new = list(islice(waiting, pool.room()))
            if new:
                pool.give(new)
                given += len(new)
            elif given == taken:
                return
            records = pool.take(WAIT_SECONDS)
            if records and not self.played:
                self._first, self._began = len(records), monotonic()
            taken += len(records)
            self.played += len(records)
            self.store.add(records)
            self.count(records)
            watch(self)


class Driver(Runner):
    """One sitting at games of agents against each other."""

    def __init__(self, store: Store, tallies: list[Tally], total: int) -> None:
        super().__init__(store, total)
        self.tallies = tallies
        self._by_number = dict(enumerate(tallies))
        self.count(store.records())

    def count(self, records: Iterable[Record]) -> None:
        """Keep the score."""
        for record in records:
            if record[PAIRING] in self._by_number:
                self._by_number[record[PAIRING]].add(record)

    def follow(self, number: int, tally: Tally, stored: Iterable[Record]) -> Tally:
        """Keep the score of one more pairing, which has this number and these games already."""
        self.tallies.append(tally)
        self._by_number[number] = tally
        self.count(stored)
        return tally

    @property
    def done(self) -> int:
        """Games finished, also in earlier sittings."""
        return sum(tally.games for tally in self.tallies)

    @property
    def decided(self) -> bool:
        """Whether every sequential test has come to an end."""
        return all(tally.decided for tally in self.tallies)
