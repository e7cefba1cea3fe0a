"""What a run is to do, as data: it is stored with the run, and another command is told how it differs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Generic, Self

from ramify.errors import RamifyError
from ramify.runs.driver import K
from ramify.runs.edits import check_edits
from ramify.runs.jobs import Job, Record
from ramify.runs.table import RunTable

Title = tuple[str, Callable[[Any], str]]  # how a difference is named, and how each of its sides is said


class RunPlan(ABC, Generic[K]):
    """Everything that decides which jobs a run has."""

    table: ClassVar[RunTable]  # of its rows
    titles: ClassVar[Mapping[str, Title]]  # parts of the description in which a run and its plan must agree
    grows: ClassVar[tuple[str, ...]] = ()  # parts that a later sitting may change
    advice: ClassVar[str]  # what to do where they disagree
    afresh: ClassVar[str] = "use another file"  # what to do where the run cannot go on at all
    seed: int | None  # None: the seed of the run that is there, or a new one

    @abstractmethod
    def seeded(self, seed: int) -> Self:
        """The same plan with this seed."""

    @property
    @abstractmethod
    def total(self) -> int:
        """Jobs in all; they are numbered from 1."""

    @abstractmethod
    def jobs(self, done: Container[int]) -> Iterator[Job]:
        """Those whose numbers are not in ``done``, in the order of their numbers."""

    @abstractmethod
    def keeper(self) -> K:
        """Somebody who keeps count and has seen no job yet."""

    @abstractmethod
    def owns(self, record: Record) -> bool:
        """Whether a row is that of one of its jobs, or of more of them; for runs that have lost their description."""

    @abstractmethod
    def description(self) -> dict[str, Any]:
        """The plan as plain data, for the run's file; with ``versions``, which may differ."""

    @abstractmethod
    def prepare(self) -> None:
        """Compile what the workers will load, and find out now what cannot be done."""

    def check_same(self, path: Path, stored: Mapping[str, Any], *, accept_change: bool = False) -> None:
        """Refuse to mix jobs of different plans in one file; the sentence says what differs.

        ``accept_change``: files of the user's may have been edited where no program changed (``edits``).
        """
        wanted = self.description()
        for key, (title, say) in self.titles.items():
            old, new = (_said(say, one[key]) if one.get(key) not in (None, {}) else "none" for one in (stored, wanted))
            if stored.get(key) != wanted[key]:
                if old == new:  # as with labels, which are not said
                    old, new = str(stored.get(key)), str(wanted[key])
                raise RamifyError(f"{path} holds another run: its {title} {old}, not {new}; {self.advice}")
        if "files" in wanted:
            check_edits(path, stored, wanted, self.afresh, accept=accept_change)


def _said(say: Callable[[Any], str], value: Any) -> str:
    """One side of a difference; as it is, where a damaged file has nonsense there."""
    try:
        return say(value)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError):
        return str(value)
