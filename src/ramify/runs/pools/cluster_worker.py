"""What runs in a worker of a Dask cluster: it shows that it is the same Ramify as the driver's, then does batches."""

from __future__ import annotations

import platform
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from time import perf_counter

from ramify.errors import RamifyError
from ramify.runs.caches import clear_caches
from ramify.runs.jobs import Job, Record, prepare, run_job
from ramify.runs.user_files import file_digest
from ramify.runs.versions import identity

Answer = tuple[list[Record], float, RamifyError | None]  # jobs, seconds, and what went wrong with another job

_one_at_a_time = threading.Lock()  # games and searches are cached by the process, and a clock wants a core for itself


@dataclass(frozen=True)
class DriverTerms:
    """What a worker must have in common with the driver for the jobs to be the same."""

    session: str  # a new one each time, so that workers that live longer load users' files anew
    identity: str
    files: tuple[tuple[str, str], ...]  # names and digests of users' files


@lru_cache(maxsize=4)
def _disagreement(terms: DriverTerms) -> RamifyError | None:
    """What keeps this worker from working; a new sitting forgets what was loaded before."""
    clear_caches()
    here = f"the worker on {platform.node()}"
    if identity() != terms.identity:
        return RamifyError(different(here, identity(), terms.identity))
    for name, digest in terms.files:
        found = file_digest(name)
        if not found:
            return RamifyError(
                f"{here} cannot see {name} from its folder {Path.cwd()};"
                " keep the file in a folder that all machines share and give its whole path"
            )
        if found != digest:
            return RamifyError(f"{here} sees another {name} than the driver; copy it there again")
    return None


def different(who: str, its: str, ours: str) -> str:
    """The sentence about a worker of another version."""
    return f"{who} has {its}, but the driver has {ours}; install the same on both and restart the workers"


def do_batch(jobs: Sequence[Job], terms: DriverTerms) -> Answer:
    """Do jobs, one at a time in this process; the seconds do not count what is compiled or loaded first."""
    with _one_at_a_time:
        trouble = _disagreement(terms)
        if trouble is not None:
            return [], 0.0, trouble
        records: list[Record] = []
        seconds = 0.0
        for job in jobs:
            try:
                prepare(job)
                began = perf_counter()
                records.append(run_job(job))
                seconds += perf_counter() - began
            except RamifyError as error:
                return records, seconds, error
        return records, seconds, None
