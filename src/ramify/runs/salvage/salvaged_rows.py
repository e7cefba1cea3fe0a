"""Finds a run's rows among those on a file's pages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ramify.runs.jobs import Record
from ramify.runs.salvage.sqlite_pages import Row, read_pages
from ramify.runs.table import RunTable


def holds_rows(path: Path, table: RunTable) -> bool:
    """Return whether a file that SQLite cannot read has valid rows of the table."""
    try:
        pages = read_pages(path)
    except OSError:
        return False
    return any(table.is_valid(_record(row, table)) for row in pages.rows())


def rows_of(found: Sequence[Row], table: RunTable) -> tuple[RunTable, dict[int, Record], int]:
    """Return the table, its valid rows by number, and the number of invalid rows with its columns."""
    rows: dict[int, Record] = {}
    invalid = set()
    for row in found:
        record = _record(row, table)
        if table.is_valid(record):
            rows[record[0]] = record
        elif len(record) == len(table.columns):
            invalid.add(record[0])
    return table, rows, len(invalid - rows.keys())


def _record(row: Row, table: RunTable) -> Record:
    """Return a row as SQLite would: its number is stored apart, and integral REAL values are stored as integers."""
    number, values = row
    lacking = len(table.columns) - len(values)
    if number is None or not 0 <= lacking <= len(table.added):
        return ()
    values = [*values, *list(table.added.values())[len(table.added) - lacking :]]
    kinds = (table.kind(name) for name in table.columns)
    return tuple(
        number if place == 0 else float(value) if kind == "REAL" and isinstance(value, int) else value
        for place, (kind, value) in enumerate(zip(kinds, values, strict=True))
    )


def descriptions(found: Sequence[Row], table: RunTable) -> Iterator[dict[str, Any]]:
    """Yield the complete descriptions among the rows."""
    for number, values in found:
        if number is None and len(values) == 2 and values[0] == "description" and isinstance(values[1], str):
            try:
                description = json.loads(values[1])
            except ValueError:
                continue
            if isinstance(description, dict) and description and table.is_complete(description):
                yield description
