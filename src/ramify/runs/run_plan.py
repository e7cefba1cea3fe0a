"""Which jobs a run has, as data that is stored with it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Generic, Self

from ramify.runs.driver import K
from ramify.runs.edited_files import check_edits
from ramify.runs.jobs import Job, Record
from ramify.runs.messages import RunMessages
from ramify.runs.table import RunTable


class RunPlan(ABC, Generic[K]):
    """Everything that decides which jobs a run has."""

    table: ClassVar[RunTable]  # what is stored
    messages: ClassVar[RunMessages]  # what a user reads where the stored run is another
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
    def aggregator(self) -> K:
        """Somebody who keeps count and has seen no job yet."""

    @abstractmethod
    def contains(self, record: Record) -> bool:
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
        self.messages.check_descriptions(path, stored, wanted)
        if "files" in wanted:
            check_edits(path, stored, wanted, self.messages.restart_hint, accept=accept_change)
