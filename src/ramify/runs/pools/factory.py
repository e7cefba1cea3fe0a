"""Which pool the options of a command ask for."""

from __future__ import annotations

import os

from ramify.errors import RamifyError
from ramify.runs.pools.auto import AutoPool
from ramify.runs.pools.cluster import ClusterPool
from ramify.runs.pools.local import LocalPool
from ramify.runs.pools.pool import InProcessPool, PoolMaker

MAX_WORKERS = 1024  # on one machine


def pool_factory(workers: int | PoolMaker | None, cluster: object = None) -> PoolMaker:
    """Processes on this machine; 0 works in this process. Or whoever is given.

    Without a number there are as many processes as cores, but none where this one is done sooner than they would start.
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
        return lambda jobs: AutoPool(jobs, cores())
    if isinstance(workers, bool) or not isinstance(workers, int) or not 0 <= workers <= MAX_WORKERS:
        raise RamifyError(f"workers must be a whole number from 0 to {MAX_WORKERS}, not {workers}")
    return lambda jobs: LocalPool(min(workers, jobs)) if workers else InProcessPool()


def cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
