"""Pools run jobs: a driver submits jobs and collects records, wherever they run."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Protocol, cast

from ramify.old_names import note
from ramify.runs.caches import clear_caches
from ramify.runs.jobs import Job, Record, run_job


class Pool(Protocol):
    """Runs jobs. Each submitted job is collected once, in any order, unless the pool is closed first.

    A pool replaces workers that die and runs their jobs again. A job that fails raises ``RamifyError`` from
    ``collect``.
    """

    def capacity(self) -> int:
        """Return how many more jobs to submit now to keep all workers busy."""

    def submit(self, jobs: Sequence[Job]) -> None:
        """Accept these jobs."""

    def collect(self, seconds: float) -> list[Record]:
        """Return the records finished since the last call, waiting up to ``seconds`` for the first."""

    def close(self) -> None:
        """Stop at once; unfinished jobs are lost."""


PoolMaker = Callable[[int], Pool]  # from the number of jobs to run


class InProcessPool:
    """Works in this process, one job per ``collect``; for tests, and where processes cannot be started."""

    def __init__(self) -> None:
        clear_caches()
        self._jobs: deque[Job] = deque()

    def capacity(self) -> int:
        return 1 - len(self._jobs)

    def submit(self, jobs: Sequence[Job]) -> None:
        self._jobs.extend(jobs)

    def collect(self, seconds: float) -> list[Record]:
        del seconds
        return [run_job(self._jobs.popleft())] if self._jobs else []

    def close(self) -> None:
        self._jobs.clear()


OLD_METHODS = {"capacity": "room", "submit": "give", "collect": "take"}


def current_pool(pool: Any) -> Pool:
    """Return a user's pool; one with the old method names is wrapped, with a DeprecationWarning for each."""
    old = {new: name for new, name in OLD_METHODS.items() if not hasattr(pool, new) and hasattr(pool, name)}
    if not old:
        return cast(Pool, pool)
    for new, name in old.items():
        note(f"{type(pool).__name__}.{name}", new)
    return cast(Pool, _RenamedPool(pool, old))


class _RenamedPool:
    """Gives a pool with old method names the current ones."""

    def __init__(self, pool: Any, old: dict[str, str]) -> None:
        self._pool = pool
        self._old = old

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pool, self._old.get(name, name))
