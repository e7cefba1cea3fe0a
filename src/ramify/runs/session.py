"""One session of a run: opens the file, checks that it has the same plan, and runs the missing jobs."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from ramify.errors import RamifyError
from ramify.runs.driver import Driver, K
from ramify.runs.pools.pool import PoolMaker
from ramify.runs.run_plan import RunPlan
from ramify.runs.store import Store

P = TypeVar("P", bound=RunPlan[Any])


class Session(Generic[P, K]):
    """A plan and its file, which is locked until ``close``. Use it as a context manager."""

    def __init__(self, plan: P, run: str | Path | None = None, *, accept_change: bool = False) -> None:
        if not isinstance(run, str | Path | None) or "\0" in str(run):
            raise RamifyError(f"run must be the path of a file, not {run!r}")
        seeded = plan if plan.seed is not None else plan.seeded(secrets.randbits(32))
        seeded.prepare()
        self.store = Store(run, seeded.description(), plan.table)
        try:
            stored = self._stored_description(plan)
            self.plan: P = plan if plan.seed is not None else plan.seeded(stored["seed"])
            self.plan.check_same(self.store.path, stored, accept_change=accept_change)
            wanted = self.plan.description()
            first, now = stored["versions"], wanted["versions"]
            self.notes = [] if first == now else [f"the run was started with {first}; this is {now}"]
            new = {
                key: wanted[key] for key in (*plan.table.extendable_keys, "files", "syntax", "players") if key in wanted
            }
            if any(stored.get(key) != value for key, value in new.items()):
                self.store.describe(stored | new)
            self.store.compare(self.plan.misfit)
            self.driver: Driver[K] = Driver(self.store, self.plan.aggregator(), self.plan.total)
            self.notes += self.store.notes()
        except BaseException:
            self.store.close()
            raise

    def _stored_description(self, plan: P) -> dict[str, Any]:
        """Return the stored description. A salvaged file without one gets the plan's, if its rows fit the plan."""
        if self.store.description():
            return self.store.full_description()
        path = self.store.path
        if plan.seed is None:
            raise RamifyError(f"{path} was salvaged without its description: pass its --seed")
        for record in self.store.records():
            if not plan.contains(record):
                raise plan.messages.other_run(path, f"row {record[0]} does not belong to this one")
        self.store.describe(plan.description())
        return plan.description()

    def run(self, make_pool: PoolMaker, on_progress: Callable[[Driver[K]], object] = lambda _: None) -> None:
        """Run the missing jobs."""
        done = self.store.numbers()
        missing = self.plan.missing(done)
        if missing and not self.driver.decided:
            self.driver.run(self.plan.jobs(done), make_pool(missing), on_progress)

    def close(self) -> None:
        """Close and unlock the file."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
