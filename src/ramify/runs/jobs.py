"""What workers carry out: anything that is plain data and gives one row.

A job is a pure function of itself: whoever carries it out, on whatever worker, gets the same row, timings apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from ramify.contract.author_errors import author_error_text, error_text
from ramify.errors import RamifyError
from ramify.old_names import old_attributes

Record = tuple[Any, ...]  # a row as SQLite takes it, in the order of its table's columns; also what workers send


class Job(Protocol):
    """One job of a run; it must be picklable."""

    @property
    def number(self) -> int:
        """Of the job in its run, from 1."""

    @property
    def name(self) -> str:
        """What a sentence calls it, as "game 12"."""

    @property
    def verb(self) -> str:
        """What a sentence says is done to it, as "played"."""

    def descriptions(self) -> Iterable[str]:
        """Descriptions of games and agents, which may name files of the user's."""

    def prepare(self) -> None:
        """Compile or load what it needs, before a clock runs; costs nothing the second time."""

    def expected_seconds(self) -> float:
        """About how long it takes in this process, found out in a moment; infinite where nobody knows."""

    def run(self) -> Record:
        """Carry it out; the row begins with its number."""

    # It may have given_up(why), the row that stands for it where workers die of it; else the run stops there. Such a
    # job may also have longest(), the seconds after which it counts as hanging, and ``apart``: whether it must not be
    # done in the driver's own process, which it might take down.


def prepare(job: Job) -> None:
    """Compile or load all that it needs."""
    with _in_words(job):
        job.prepare()


def expected_seconds(job: Job) -> float:
    """About how long it takes in this process."""
    with _in_words(job):
        return job.expected_seconds()


def hang_seconds(job: Job) -> float:
    """After how long it counts as hanging; never unless it says so."""
    longest = getattr(job, "longest", None)
    return math.inf if longest is None else float(longest())


def run_job(job: Job) -> Record:
    """The record of a job, as workers of every kind send it; whatever goes wrong becomes one sentence."""
    with _in_words(job):
        return job.run()


@contextmanager
def _in_words(job: Job) -> Iterator[None]:
    try:
        yield
    except RamifyError as error:
        raise RamifyError(f"{job.name} cannot be {job.verb}: {error}") from error
    except Exception as error:  # of a user's game, strategy or experiment
        raise RamifyError(
            f"{job.name} cannot be {job.verb}: {author_error_text(error) or error_text(error)}"
        ) from error


__getattr__ = old_attributes(__name__)
