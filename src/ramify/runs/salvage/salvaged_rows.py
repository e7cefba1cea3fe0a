"""Finds a run's rows and its description among the rows on a file's pages."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

from ramify.runs.jobs import Record
from ramify.runs.row_check import RowCheck, is_intact, misfit_of
from ramify.runs.row_digest import NO_DIGESTS, RunDigests
from ramify.runs.salvage.sqlite_pages import Row, read_pages
from ramify.runs.table import Misfit, RunTable

StoredRow = tuple[Record, object]  # a row and its digest, None if the row has no column for it
Plan = tuple[dict[str, Any] | None, Misfit]  # a description and the comparison with its plan
COPIES = 8  # of an entry that are tried: pages that SQLite no longer uses may hold older ones
NOT_DESCRIBED: Plan = (None, lambda _: None)


@dataclass
class SalvagedRows:
    """What is left of a run, if its rows belong to ``table``."""

    table: RunTable
    description: dict[str, Any] | None
    run: str  # id of the run; empty if no row has a digest
    rows: dict[int, tuple[Record, str]] = field(default_factory=dict)  # rows that fit and their digests, by number
    left_out: dict[int, str] = field(default_factory=dict)  # what is wrong with the others, by number
    odd: int = 0  # rows with another number of columns

    @property
    def digests(self) -> RunDigests:
        """Digests of a file with only these rows."""
        new = RunDigests.new(number for number, (_, digest) in self.rows.items() if not digest)
        return replace(new, run=self.run) if self.run else new


def holds_rows(path: Path, table: RunTable) -> bool:
    """Return whether a file that SQLite cannot read has valid rows of the table."""
    try:
        pages = read_pages(path)
    except OSError:
        return False
    return any(table.is_valid(record) for record, _ in _stored_rows(list(pages.rows()), table))


def rows_of(found: Sequence[Row], table: RunTable) -> SalvagedRows:
    """Return what is left of a run with this table."""
    stored = list(_stored_rows(found, table))
    (description, misfit), digests = _plan(found, stored, table)
    check = RowCheck(table, digests, misfit)
    salvaged = SalvagedRows(table, description, digests.run)
    for record, digest in stored:
        problem = check.problem(record, digest or "")
        if problem is None:
            salvaged.rows[record[0]] = (record, str(digest or ""))
        else:
            salvaged.left_out[record[0]] = problem
    salvaged.left_out = {number: why for number, why in salvaged.left_out.items() if number not in salvaged.rows}
    salvaged.odd = sum(number is not None and not _is_schema(values) for number, values in found) - len(stored)
    return salvaged


def _is_schema(values: Sequence[object]) -> bool:
    """Return whether a row describes a table to SQLite."""
    return len(values) == 5 and values[0] == "table"


def _stored_rows(found: Sequence[Row], table: RunTable) -> Iterator[StoredRow]:
    """Yield the rows that have the table's columns, as SQLite would return them.

    A row's number is stored apart, integral REAL values are stored as integers, and rows of older versions lack the
    last columns.
    """
    defaults = list(table.defaults.values())
    kinds = [table.kind(name) for name in table.columns]
    for number, values in found:
        lacking = len(kinds) + 1 - len(values)
        if number is None or not 0 <= lacking <= len(defaults):
            continue
        whole = [*values, *defaults[len(defaults) - lacking :]][:-1]
        yield (
            tuple(
                number if place == 0 else float(value) if kind == "REAL" and isinstance(value, int) else value
                for place, (kind, value) in enumerate(zip(kinds, whole, strict=True))
            ),
            None if lacking else values[-1],
        )


def _plan(found: Sequence[Row], stored: Sequence[StoredRow], table: RunTable) -> tuple[Plan, RunDigests]:
    """Return the description and its plan if they are intact, and the run's digests."""
    entries: dict[object, list[str]] = {"description": [], "undigested": [], "digest": []}
    for number, values in found:
        if number is None and len(values) == 2 and isinstance(values[0], str) and isinstance(values[1], str):
            entries.get(values[0], []).append(values[1])
    for text, undigested, digest in product(*(copies[:COPIES] for copies in entries.values())):
        digests = RunDigests.from_entries({"description": text, "undigested": undigested, "digest": digest})
        if digests is not None:
            return _described(text, table), digests
    ids = Counter(str(digest).partition("-")[0] for record, digest in stored if is_intact(table, record, digest))
    if ids or entries["digest"]:  # the run had digests, but its description is lost
        old = RunDigests.new(record[0] for record, digest in stored if digest is None)
        return NOT_DESCRIBED, replace(old, run=next((run for run, _ in ids.most_common(1)), ""))
    valid = [record for record, _ in stored if table.is_valid(record)]
    plans = (_described(text, table) for text in entries["description"])
    fitting = (plan for plan in plans if plan[0] is not None and any(plan[1](record) is None for record in valid))
    return next(fitting, NOT_DESCRIBED), NO_DIGESTS


def _described(text: str, table: RunTable) -> Plan:
    """Return the plan of a description, if it is a complete one of this kind of run."""
    try:
        description = json.loads(text)
    except (ValueError, RecursionError):
        return NOT_DESCRIBED
    if not isinstance(description, dict) or not description or not table.is_complete(description):
        return NOT_DESCRIBED
    misfit = misfit_of(table, description)
    return NOT_DESCRIBED if misfit is None else (description, misfit)
