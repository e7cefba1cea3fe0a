"""What can still be read of a damaged run, copied to a new file that its own command can go on with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ramify.errors import RamifyError
from ramify.runs.lock import Lock
from ramify.runs.salvage.salvaged_rows import descriptions, rows_of
from ramify.runs.salvage.sqlite_pages import read_pages
from ramify.runs.store import Store
from ramify.runs.table import RunTable


@dataclass(frozen=True)
class SalvageResult:
    """What came out."""

    path: str
    rows: str  # what they are, as "games"
    saved: int
    unread: int  # rows that are there but make no sense
    pages: int
    damaged: int  # pages that are lost, with as many rows as were there
    has_description: bool  # whether the file still says what was asked for

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return dict(vars(self))

    def __str__(self) -> str:
        lines = [f"saved     {self.saved:,} {self.rows} in {self.path}"]
        if self.unread:
            lines.append(f"lost      {self.unread:,} {self.rows} that make no sense any more")
        if self.damaged:
            lines.append(f"damaged   {self.damaged:,} of {self.pages:,} pages of the file, with all that was there")
        if not self.unread and not self.damaged and self.has_description:
            lines.append("          no damage was found")
        if not self.has_description:
            lines.append("          what was asked for is lost: to go on, its own command must be given its --seed")
        lines.append("          the command of the run goes on with the new file, and does again what is missing")
        return "\n".join(lines)


def salvage(path: Path, new: Path, tables: Sequence[RunTable]) -> SalvageResult:
    """Copy the rows that can be read, of whichever table the run has."""
    if not path.is_file():
        raise RamifyError(f"{path} is a folder" if path.is_dir() else f"there is no file {path}")
    if new.exists():
        raise RamifyError(f"{new} is there already; name a new file")
    if not new.parent.is_dir():
        raise RamifyError(f"there is no folder {new.parent} for {new.name}")
    lock = Lock(path)
    try:
        pages = read_pages(path)
    except OSError as error:
        raise RamifyError(f"{path} cannot be read: {error.strerror}") from None
    finally:
        lock.release()
    found = list(pages.rows())
    table, rows, unread = max((rows_of(found, table) for table in tables), key=lambda one: len(one[1]))
    description = next(descriptions(found, table), None)
    if not rows:
        what = f"of its {table.name} none can be read" if description else "nothing in it can be read as a run"
        raise RamifyError(f"{path} cannot be salvaged: {what}")
    store = Store(new, description or {}, table)
    store.add(list(rows.values()))
    store.close()
    return SalvageResult(
        path=str(new),
        rows=table.name,
        saved=len(rows),
        unread=unread + pages.unread,
        pages=len(pages.pages) + pages.missing,
        damaged=pages.damaged(),
        has_description=description is not None,
    )
