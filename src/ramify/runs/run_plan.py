"""A run's plan as data. It is stored with the run; a command with a different plan is rejected."""

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
    """Everything that determines the jobs of a run."""

    table: ClassVar[RunTable]  # columns of the rows, keys of the description
    messages: ClassVar[RunMessages]  # for runs that do not match
    seed: int | None  # None: that of the stored run, or a new one

    @abstractmethod
    def seeded(self, seed: int) -> Self:
        """Return the same plan with this seed."""

    @property
    @abstractmethod
    def total(self) -> int:
        """Number of jobs; they are numbered from 1."""

    @abstractmethod
    def jobs(self, done: Container[int]) -> Iterator[Job]:
        """Yield the jobs whose numbers are not in ``done``, in ascending order."""

    def missing(self, done: Container[int]) -> int:
        """Return the number of jobs that are not in ``done``."""
        return sum(number not in done for number in range(1, self.total + 1))

    @abstractmethod
    def aggregator(self) -> K:
        """Return an empty aggregator."""

    @abstractmethod
    def contains(self, record: Record) -> bool:
        """Return whether a row fits this plan, extended if need be."""

    def misfit(self, record: Record) -> str | None:
        """Return why a row does not fit this plan, or None. Rows that do not fit are left out."""
        return None if self.contains(record) else "it is not part of the plan"

    @abstractmethod
    def description(self) -> dict[str, Any]:
        """Return the plan as plain data for the run's file, with ``versions``, which may differ between sessions."""

    @abstractmethod
    def prepare(self) -> None:
        """Compile what the workers will load. Raise RamifyError now if a job is impossible."""

    def check_same(self, path: Path, stored: Mapping[str, Any], *, accept_change: bool = False) -> None:
        """Raise RamifyError, naming the difference, unless the stored run has this plan.

        ``accept_change`` allows users' files with edited comments, docstrings or layout (``edited_files``).
        """
        wanted = self.description()
        self.messages.check_descriptions(path, stored, wanted)
        if "files" in wanted:
            check_edits(path, stored, wanted, self.messages.restart_hint, accept=accept_change)
