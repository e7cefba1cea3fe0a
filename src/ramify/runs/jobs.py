"""What workers carry out: games of a match, or anything else that is plain data and gives one row.

A job is a pure function of itself: whoever carries it out, on whatever worker, gets the same row, timings apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

from ramify.arena.matches import play
from ramify.arena.matches.rows import GameSpec, Record
from ramify.errors import RamifyError


class Task(Protocol):
    """A job that is not a game; it must be picklable."""

    @property
    def number(self) -> int:
        """Of the job in its run, from 1."""

    def texts(self) -> Iterable[str]:
        """Descriptions of games and agents, which may name files of the user's."""

    def prepare(self) -> None:
        """Compile or load what it needs, before a clock runs; costs nothing the second time."""

    def record(self) -> Record:
        """Carry it out; the row begins with its number."""


Job = GameSpec | Task


def name(job: Job) -> str:
    """What a sentence calls it."""
    return f"game {job.number}" if isinstance(job, GameSpec) else f"part {job.number}"


def texts(job: Job) -> set[str]:
    """Descriptions of games and agents in it."""
    return {job.game, *job.agents} if isinstance(job, GameSpec) else set(job.texts())


def prepare(job: Job) -> None:
    """Compile or load all that it needs."""
    with _in_words(job):
        if isinstance(job, GameSpec):
            play.prepare(job)
        else:
            job.prepare()


def carried_out(job: Job) -> Record:
    """The record of a job, as workers of every kind send it; whatever goes wrong becomes one sentence."""
    if isinstance(job, GameSpec):
        return play.played(job)
    with _in_words(job):
        return job.record()


@contextmanager
def _in_words(job: Job) -> Iterator[None]:
    verb = "played" if isinstance(job, GameSpec) else "carried out"
    try:
        yield
    except RamifyError as error:
        raise RamifyError(f"{name(job)} cannot be {verb}: {error}") from error
    except Exception as error:  # of a user's game, strategy or experiment
        raise RamifyError(f"{name(job)} cannot be {verb}: {type(error).__name__}: {error}") from error
