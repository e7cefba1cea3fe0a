"""What runs in a worker of a Dask cluster: it shows that it is the same Ramify as the driver's, then plays chunks."""

from __future__ import annotations

import hashlib
import platform
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from time import perf_counter

import numba

import ramify
from ramify.arena.matches.play import forget
from ramify.arena.matches.rows import Record
from ramify.errors import RamifyError
from ramify.runs.jobs import Job, carried_out, prepare

Answer = tuple[list[Record], float, RamifyError | None]  # games, seconds, and what went wrong with another game

_one_at_a_time = threading.Lock()  # games and searches are cached by the process, and a clock wants a core for itself


@dataclass(frozen=True)
class Terms:
    """What a worker must have in common with the driver for the games to be the same."""

    sitting: str  # a new one each time, so that workers that live longer load users' files anew
    identity: str
    files: tuple[tuple[str, str], ...]  # names and digests of users' files


@lru_cache
def identity() -> str:
    """Our version and the digest of all our sources, Numba's version and Python's, as they were when first asked."""
    package = Path(ramify.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(str(path.relative_to(package)).encode())
        digest.update(path.read_bytes())
    python = ".".join(platform.python_version_tuple()[:2])
    return (
        f"ramify {ramify.__version__} (sources {digest.hexdigest()[:12]}), numba {numba.__version__}, Python {python}"
    )


def file_digest(name: str) -> str:
    """The digest of a file; empty where there is none."""
    path = Path(name)
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12] if path.is_file() else ""


@lru_cache(maxsize=4)
def _agree(terms: Terms) -> RamifyError | None:
    """What keeps this worker from playing; a new sitting forgets what was loaded before."""
    forget()
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


def play_chunk(games: Sequence[Job], terms: Terms) -> Answer:
    """Play games, one at a time in this process; the seconds do not count what is compiled or loaded first."""
    with _one_at_a_time:
        trouble = _agree(terms)
        if trouble is not None:
            return [], 0.0, trouble
        records: list[Record] = []
        seconds = 0.0
        for game in games:
            try:
                prepare(game)
                began = perf_counter()
                records.append(carried_out(game))
                seconds += perf_counter() - began
            except RamifyError as error:
                return records, seconds, error
        return records, seconds, None
