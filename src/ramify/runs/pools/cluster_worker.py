"""Code that runs on the workers of a Dask cluster: compare versions and files with the driver, then run batches."""

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

Answer = tuple[
    list[Record], float, RamifyError | None
]  # records, seconds spent on them, and the error that ended the batch

_one_at_a_time = threading.Lock()  # games and searches are cached per process, and clocks need a whole core


@dataclass(frozen=True)
class DriverTerms:
    """The state that a worker must share with the driver for jobs to give the same rows."""

    session: str  # differs per driver, so long-lived workers reload users' files
    identity: str
    files: tuple[tuple[str, str], ...]  # names and digests of users' files


@lru_cache(maxsize=4)
def _disagreement(terms: DriverTerms) -> RamifyError | None:
    """Return why this worker cannot work for the driver, or None. Clears the caches once per session."""
    clear_caches()
    here = f"the worker on {platform.node()}"
    if identity() != terms.identity:
        return RamifyError(different(here, identity(), terms.identity))
    for name, digest in terms.files:
        found = file_digest(name)
        if not found:
            return RamifyError(
                f"{here} cannot find {name} from its folder {Path.cwd()}:"
                " keep the file in a folder that all machines share and use its absolute path"
            )
        if found != digest:
            return RamifyError(f"{here} has a different {name} than the driver: copy it there again")
    return None


def different(who: str, its: str, ours: str) -> str:
    """Return the message about a worker of another version."""
    return f"{who} has {its}, but the driver has {ours}: install the same version on both and restart the workers"


def do_batch(jobs: Sequence[Job], terms: DriverTerms) -> Answer:
    """Run jobs one at a time in this process. The seconds exclude compiling and loading."""
    with _one_at_a_time:
        failure = _disagreement(terms)
        if failure is not None:
            return [], 0.0, failure
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
