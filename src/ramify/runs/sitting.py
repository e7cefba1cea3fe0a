"""One sitting at a run: open the file, check that it is the same run, play what is missing, and look at the score."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ramify.arena.matches.plan import Plan, check_same
from ramify.arena.matches.tally import Standing
from ramify.errors import RamifyError
from ramify.runs.driver import Driver
from ramify.runs.pools.cluster import ClusterPool
from ramify.runs.pools.local import LocalPool
from ramify.runs.pools.pool import HerePool, Pool
from ramify.runs.store import Store

PoolMaker = Callable[[int], Pool]  # from the number of games to be played
Watch = Callable[[Driver], object]


class Session:
    """A plan with its file; a context manager, because the file is locked meanwhile."""

    def __init__(self, plan: Plan, run: str | Path | None = None) -> None:
        seeded = plan.seeded()
        seeded.prepare()
        self.store = Store(run, seeded.description())
        try:
            stored = self.store.description()
            self.plan = seeded if plan.seed is not None else replace(seeded, seed=stored["seed"])
            wanted = self.plan.description()
            check_same(self.store.path, stored, wanted)
            self.notes = _notes(stored["versions"], wanted["versions"])
            if stored["pairs"] != wanted["pairs"]:
                self.store.describe(stored | {"pairs": wanted["pairs"]})
            self.driver = Driver(self.store, self.plan.tallies(), self.plan.games)
        except BaseException:
            self.store.close()
            raise

    def play(self, make_pool: PoolMaker, watch: Watch = lambda _: None) -> None:
        """Play the games that are missing."""
        played = self.store.numbers()
        missing = sum(number not in played for number in range(1, self.plan.games + 1))
        if missing and not self.driver.decided:
            self.driver.run(self.plan.schedule().games(self.plan.pairs, played), make_pool(missing), watch)

    def standings(self) -> list[Standing]:
        """How each pairing stands."""
        return [tally.standing() for tally in self.driver.tallies]

    @property
    def stopped(self) -> str:
        """Why no more games are to be played: "test" or "games"; "interrupted" where some are missing."""
        if self.driver.decided:
            return "test"
        return "games" if self.driver.done >= self.plan.games else "interrupted"

    def close(self) -> None:
        """Let others at the file."""
        self.store.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _notes(stored: str, now: str) -> list[str]:
    return [] if stored == now else [f"the run was begun with {stored}; this is {now}"]


def make_pool_of(workers: int | PoolMaker | None, cluster: object = None) -> PoolMaker:
    """Processes on this machine, as many as cores unless told; 0 plays in this process. Or whoever is given.

    ``cluster`` is the address of a Dask scheduler, or an object of Dask's that has one.
    """
    if cluster is not None:
        if workers is not None:
            raise RamifyError("give workers or a cluster, not both: a cluster has workers of its own")
        address = str(getattr(cluster, "scheduler_address", cluster))
        return lambda _: ClusterPool(address)
    if callable(workers):
        return workers
    if workers is None:
        workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 0:
        raise RamifyError(f"workers must be a whole number from 0, not {workers}")
    return lambda games: LocalPool(min(workers, games)) if workers else HerePool()
