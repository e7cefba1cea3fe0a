"""Decides whether a stored row fits its run. Reports, resumed runs and ``--salvage`` all leave out the same rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ramify.errors import RamifyError
from ramify.runs.jobs import Record
from ramify.runs.row_digest import RunDigests, digest_of
from ramify.runs.table import Misfit, RunTable

NAMED = 3  # rows that a note names


@dataclass(frozen=True)
class RowCheck:
    """Compares rows with their digests and with the run's plan."""

    table: RunTable
    digests: RunDigests
    misfit: Misfit  # of the plan

    def problem(self, record: Record, digest: object) -> str | None:
        """Return why a row does not fit, or None."""
        if digest != "":
            if not is_intact(self.table, record, digest):
                return "its values do not match its digest"
            if str(digest).partition("-")[0] != self.digests.run:
                return "it belongs to another run"
            if not self.table.has_types(record):
                return "it is invalid"
        elif not self.digests.may_lack(record[0]):
            return "it has no digest"
        elif not self.table.is_valid(record):
            return "it is invalid"
        return self.misfit(record)


def is_intact(table: RunTable, record: Record, digest: object) -> bool:
    """Return whether a row matches its digest, in whatever run."""
    if not isinstance(digest, str):
        return False
    try:
        return digest == digest_of(digest.partition("-")[0], table.name, record)
    except TypeError:  # bytes in a damaged row
        return False


def misfit_of(table: RunTable, description: Mapping[str, Any]) -> Misfit | None:
    """Return the comparison with the plan of a description, or None if the description is invalid.

    An incomplete description, e.g. the empty one of a salvaged run, has no plan to compare with.
    """
    if not table.is_complete(description):
        return lambda _: None
    try:
        return table.misfit_of(description)
    except (RamifyError, KeyError, TypeError, IndexError, ValueError, AttributeError):
        return None


def left_out_text(path: object, problems: Mapping[int, str]) -> str:
    """Return a note that names the rows that were left out."""
    if len(problems) == 1:
        ((number, problem),) = problems.items()
        return f"row {number} of {path} is left out: {problem}; the run's own command computes it again"
    first: Sequence[str] = [f"row {number}: {problems[number]}" for number in sorted(problems)[:NAMED]]
    more = "; ..." if len(problems) > NAMED else ""
    return (
        f"{len(problems):,} rows of {path} are left out ({'; '.join(first)}{more});"
        " the run's own command computes them again"
    )
