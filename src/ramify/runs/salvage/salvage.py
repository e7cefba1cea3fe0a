"""Copies what can still be read of a damaged run to a new file that its own command can resume."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ramify.errors import RamifyError
from ramify.old_names import old_members
from ramify.paths import exists, is_file, is_folder
from ramify.runs.lock import Lock
from ramify.runs.row_check import NAMED
from ramify.runs.run_database import sqlite_damage
from ramify.runs.run_file import complete_run
from ramify.runs.salvage.salvaged_rows import rows_of
from ramify.runs.salvage.sqlite_pages import read_pages
from ramify.runs.store import Store
from ramify.runs.table import RunTable


@old_members(data="to_dict", described="has_description")
@dataclass(frozen=True)
class SalvageResult:
    """Counts of saved and lost rows."""

    path: str
    rows: str  # name of the rows, e.g. "games"
    saved: int
    unread: int  # rows that are unreadable or do not fit
    pages: int
    damaged: int  # lost pages, with all their rows
    has_description: bool  # whether the run's description could be read
    damage: str  # what SQLite finds wrong with the file; empty if nothing
    log: str  # why SQLite leaves out frames of its write-ahead log; empty if it does not
    left_out: dict[int, str]  # what is wrong with readable rows that do not fit, by number
    undigested: int  # saved rows that cannot be verified: an older version stored them without a digest

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON. ``described`` is the old name of ``has_description``."""
        return dict(vars(self)) | {"described": self.has_description}

    def __str__(self) -> str:
        lines = [f"saved     {self.saved:,} {self.rows} in {self.path}"]
        if self.unread:
            lines.append(f"lost      {self.unread:,} {self.rows} that are invalid")
            named = sorted(self.left_out)[:NAMED]
            lines += [f"          row {number}: {self.left_out[number]}" for number in named]
            lines += ["          ..."] if len(self.left_out) > NAMED else []
        if self.damaged:
            lines.append(f"damaged   {self.damaged:,} of {self.pages:,} pages of the file, with all their rows")
        if self.damage:
            lines.append(f"          SQLite finds: {self.damage}")
        if self.log:
            lines.append(f"log       {self.log}; its rows are saved as far as they can be read")
        if not (self.unread or self.damaged or self.damage or self.log) and self.has_description:
            lines.append("          no damage found")
        if self.undigested:
            lines.append(f"          {self.undigested:,} of them were stored by an older version without a digest")
        if not self.has_description:
            lines.append("          the description is lost: to resume, pass the run's --seed to its command")
        lines.append("          the run's command resumes the new file and repeats what is missing")
        return "\n".join(lines)


def salvage(path: Path, new: Path, tables: Sequence[RunTable]) -> SalvageResult:
    """Copy the readable rows to a new file. The run's table is the one of ``tables`` with the most valid rows."""
    if not is_file(path):
        raise RamifyError(f"{path} is a folder" if is_folder(path) else f"there is no file {path}")
    if exists(new):
        raise RamifyError(f"{new} already exists: choose another file")
    if not is_folder(new.parent):
        raise RamifyError(f"there is no folder {new.parent} for {new.name}")
    lock = Lock(path)
    try:
        pages = read_pages(path)
        damage = sqlite_damage(path)
    except OSError as error:
        raise RamifyError(f"cannot read {path}: {error.strerror}") from None
    finally:
        lock.release()
    found = list(pages.rows())
    best = max((rows_of(found, table) for table in tables), key=lambda one: len(one.rows))
    if not best.rows:
        what = f"none of its {best.table.name} can be read" if best.description else "it has no readable rows of a run"
        raise RamifyError(f"cannot salvage {path}: {what}")
    with (
        complete_run(new) as draft,
        closing(Store(draft, best.description or {}, best.table, best.digests)) as store,
    ):
        store.copy(best.rows.values())
    return SalvageResult(
        path=str(new),
        rows=best.table.name,
        saved=len(best.rows),
        unread=len(best.left_out) + best.odd + pages.unread,
        pages=len(pages.pages) + pages.missing,
        damaged=pages.damaged(),
        has_description=best.description is not None,
        damage=damage,
        log="" if pages.left_out is None else f"{pages.left_out.log}: {pages.left_out.why}",
        left_out=best.left_out,
        undigested=sum(not digest for _, digest in best.rows.values()),
    )
