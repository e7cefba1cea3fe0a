"""Chooses the pool that a command's options ask for."""

from __future__ import annotations

import os

from ramify.errors import RamifyError
from ramify.runs.pools.auto import AutoPool
from ramify.runs.pools.cluster import ClusterPool
from ramify.runs.pools.local import LocalPool
from ramify.runs.pools.pool import InProcessPool, PoolMaker, current_pool

MAX_WORKERS = 1024  # on one machine


def pool_factory(workers: int | PoolMaker | None, cluster: object = None) -> PoolMaker:
    """Return the function that makes the pool.

    ``workers``: number of processes on this machine (0: this process), or your own function from the number of jobs to
    a pool. (default: one process per core, none if this process is expected to finish sooner.) ``cluster``: address of
    a Dask scheduler, or a Dask object with a ``scheduler_address``.
    """
    if cluster is not None:
        if workers is not None:
            raise RamifyError("workers and cluster cannot be combined: a cluster has its own workers")
        address = str(getattr(cluster, "scheduler_address", cluster))
        return lambda _: ClusterPool(address)
    if callable(workers):
        return lambda jobs: current_pool(workers(jobs))
    if workers is None:
        return lambda jobs: AutoPool(jobs, cores())
    if isinstance(workers, bool) or not isinstance(workers, int) or not 0 <= workers <= MAX_WORKERS:
        raise RamifyError(f"workers must be a whole number from 0 to {MAX_WORKERS}, not {workers}")
    return lambda jobs: LocalPool(min(workers, jobs)) if workers else InProcessPool()


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
