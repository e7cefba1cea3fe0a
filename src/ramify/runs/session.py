"""One sitting at a run: open the file, check that it is the same run, do what is missing, see what there is."""

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
    """A plan with its file; a context manager, because the file is locked meanwhile."""

    def __init__(self, plan: P, run: str | Path | None = None, *, accept_change: bool = False) -> None:
        if not isinstance(run, str | Path | None) or "\0" in str(run):
            raise RamifyError(f"a run is kept in a file, which is given by its path, not by {run!r}")
        seeded = plan if plan.seed is not None else plan.seeded(secrets.randbits(32))
        seeded.prepare()
        self.store = Store(run, seeded.description(), plan.table)
        try:
            stored = self._described(plan)
            self.plan: P = plan if plan.seed is not None else plan.seeded(stored["seed"])
            self.plan.check_same(self.store.path, stored, accept_change=accept_change)
            wanted = self.plan.description()
            begun, now = stored["versions"], wanted["versions"]
            self.notes = [] if begun == now else [f"the run was begun with {begun}; this is {now}"]
            new = {key: wanted[key] for key in (*plan.table.extendable_keys, "files", "syntax") if key in wanted}
            if any(stored.get(key) != value for key, value in new.items()):
                self.store.describe(stored | new)
            self.driver: Driver[K] = Driver(self.store, self.plan.aggregator(), self.plan.total)
        except BaseException:
            self.store.close()
            raise

    def _described(self, plan: P) -> dict[str, Any]:
        """What was asked for. A file that was salvaged without it is told, if its rows are those of the plan."""
        if self.store.description():
            return self.store.full_description()
        path = self.store.path
        if plan.seed is None:
            raise RamifyError(f"{path} was salvaged without what was asked for, so its seed must be given")
        for record in self.store.records():
            if not plan.contains(record):
                raise plan.messages.other_run(path, f"row {record[0]} is none of this one")
        self.store.describe(plan.description())
        return plan.description()

    def run(self, make_pool: PoolMaker, watch: Callable[[Driver[K]], object] = lambda _: None) -> None:
        """Carry out the jobs that are missing."""
        done = self.store.numbers()
        missing = sum(number not in done for number in range(1, self.plan.total + 1))
        if missing and not self.driver.decided:
            self.driver.run(self.plan.jobs(done), make_pool(missing), watch)

    def close(self) -> None:
        """Let others at the file."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
