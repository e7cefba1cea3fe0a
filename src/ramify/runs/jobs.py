"""Jobs: picklable units of work that each yield one row.

A job is deterministic: every worker gets the same row from it, except for timings.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from ramify.contract.author_errors import author_error_text, error_text
from ramify.errors import RamifyError
from ramify.old_names import old_attributes

Record = tuple[Any, ...]  # a row in the order of its table's columns, as stored and as sent by workers


class Job(Protocol):
    """One job of a run; must be picklable.

    Optional members: ``given_up(why)`` returns a row for a job that kills its workers (without it the run stops).
    ``longest()`` returns the seconds after which a job counts as hanging. ``apart`` is True if the job must not run in
    the driver's process, which it might crash.
    """

    @property
    def number(self) -> int:
        """Number of the job in its run, from 1."""

    @property
    def name(self) -> str:
        """Name in messages, e.g. "game 12"."""

    @property
    def verb(self) -> str:
        """Past participle for messages, e.g. "played"."""

    def descriptions(self) -> Iterable[str]:
        """Return the texts of its games and agents, which may name users' files."""

    def prepare(self) -> None:
        """Compile or load what it needs before a clock runs. Free if called again."""

    def expected_seconds(self) -> float:
        """Estimate its duration in this process quickly; infinite if unknown."""

    def run(self) -> Record:
        """Do the work. Return the row, which starts with the job's number."""


def prepare(job: Job) -> None:
    with _naming_job(job):
        job.prepare()


def expected_seconds(job: Job) -> float:
    with _naming_job(job):
        return job.expected_seconds()


def hang_seconds(job: Job) -> float:
    """Return the seconds after which a job counts as hanging; infinite by default."""
    longest = getattr(job, "longest", None)
    return math.inf if longest is None else float(longest())


def run_job(job: Job) -> Record:
    """Run a job and return its record. Any failure raises RamifyError that names the job."""
    with _naming_job(job):
        return job.run()


@contextmanager
def _naming_job(job: Job) -> Iterator[None]:
    try:
        yield
    except RamifyError as error:
        raise RamifyError(f"{job.name} cannot be {job.verb}: {error}") from error
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # in a user's game, strategy or experiment, which may even call sys.exit()
        raise RamifyError(
            f"{job.name} cannot be {job.verb}: {author_error_text(error) or error_text(error)}"
        ) from error


__getattr__ = old_attributes(__name__)
