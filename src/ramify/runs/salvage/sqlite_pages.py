"""Reads rows from the pages of an SQLite file without SQLite, which rejects files with any damage.

A leaf page holds complete rows, so every intact page yields its rows, whatever happened to the others. The format is
described in https://www.sqlite.org/fileformat2.html.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ramify.runs.salvage.write_ahead_log import LeftOut, WriteAheadLog

HEADER = b"SQLite format 3\0"
DEFAULT_PAGE_SIZE = 4096
TABLE_LEAF, INDEX_LEAF = 0x0D, 0x0A
KINDS = {TABLE_LEAF, INDEX_LEAF, 0x05, 0x02}
SERIAL_BYTES = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)

Row = tuple[int | None, list[object]]  # rowid, or None in an index page, and the columns


@dataclass
class Pages:
    """The newest version of each page of a file. Sets and counts are complete once all rows have been read."""

    size: int
    pages: list[bytes]
    missing: int  # pages that the header promises after the last one
    left_out: LeftOut | None  # frames of the write-ahead log that SQLite leaves out; their pages are here
    overflowing: set[int] = field(default_factory=set)  # pages that continue rows
    spoilt: set[int] = field(default_factory=set)  # leaf pages without a readable row
    unread: int = 0  # unreadable rows on other pages

    def rows(self) -> Iterator[Row]:
        """Yield all readable rows of all leaf pages."""
        self.unread = 0
        for number, page in enumerate(self.pages, 1):
            base = 100 if number == 1 else 0
            if page[base] in (TABLE_LEAF, INDEX_LEAF):
                yield from self._rows_of(number, page, base)

    def damaged(self) -> int:
        """Return the number of invalid and missing pages. Read all rows first."""
        known = self.overflowing | self._free()
        invalid = set(self.spoilt)
        for number, page in enumerate(self.pages, 1):
            kind = page[100 if number == 1 else 0]
            if (kind not in KINDS and number not in known) or (number == 1 and not page.startswith(HEADER)):
                invalid.add(number)
        return len(invalid) + self.missing

    def _free(self) -> set[int]:
        """Return the pages of the free list, which starts in the header."""
        found: set[int] = set()
        trunk = struct.unpack_from(">I", self.pages[0], 32)[0] if self.pages else 0
        while 0 < trunk <= len(self.pages) and trunk not in found:
            found.add(trunk)
            page = self.pages[trunk - 1]
            trunk, count = struct.unpack_from(">II", page)
            found.update(struct.unpack_from(f">{min(count, self.size // 4 - 2)}I", page, 8))
        return found

    def _rows_of(self, number: int, page: bytes, base: int) -> Iterator[Row]:
        count = struct.unpack_from(">H", page, base + 3)[0]
        if base + 8 + 2 * count > self.size:
            self.spoilt.add(number)
            return
        failed = 0
        for place in struct.unpack_from(f">{count}H", page, base + 8):
            try:
                yield self._row(page, place, page[base])
            except (IndexError, struct.error, ValueError):
                failed += 1
        if failed < count:
            self.unread += failed
        elif failed:
            self.spoilt.add(number)

    def _row(self, page: bytes, place: int, kind: int) -> Row:
        size, place = varint(page, place)
        number: int | None = None
        if kind == TABLE_LEAF:
            number, place = varint(page, place)
        max_local = self.size - 35 if kind == TABLE_LEAF else (self.size - 12) * 64 // 255 - 23
        if size <= max_local:
            here = size
        else:
            min_local = (self.size - 12) * 32 // 255 - 23
            here = min_local + (size - min_local) % (self.size - 4)
            here = here if here <= max_local else min_local
        payload = page[place : place + here]
        if size > here:
            payload += self._overflow(struct.unpack_from(">I", page, place + here)[0], size - here)
        if len(payload) != size:
            raise ValueError(size)
        return number, columns(payload)

    def _overflow(self, number: int, size: int) -> bytes:
        """Return the part of a row that is on its overflow pages."""
        parts: list[bytes] = []
        met: set[int] = set()
        while size > 0:
            if not 0 < number <= len(self.pages) or number in met:
                raise ValueError(number)
            met.add(number)
            self.overflowing.add(number)
            page = self.pages[number - 1]
            number = struct.unpack_from(">I", page)[0]
            parts.append(page[4 : 4 + size])
            size -= len(parts[-1])
        return b"".join(parts)


def varint(data: bytes, place: int) -> tuple[int, int]:
    """Decode a variable-length integer (one to nine bytes). Return it and the place after it."""
    value = 0
    for k in range(8):
        byte = data[place + k]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + k + 1
    value = value << 8 | data[place + 8]
    return value - (1 << 64) if value >> 63 else value, place + 9


def columns(payload: bytes) -> list[object]:
    """Decode the columns of a record."""
    end, place = varint(payload, 0)
    kinds = []
    while place < end:
        kind, place = varint(payload, place)
        kinds.append(kind)
    place = end
    values: list[object] = []
    for kind in kinds:
        size = SERIAL_BYTES[kind] if 0 <= kind < len(SERIAL_BYTES) else (kind - 12) // 2
        part = payload[place : place + size]
        if len(part) != size:
            raise ValueError(kind)
        place += size
        if kind == 0:
            values.append(None)
        elif kind == 7:
            values.append(struct.unpack(">d", part)[0])
        elif kind < 7:
            values.append(int.from_bytes(part, signed=True))
        elif kind < 10:
            values.append(kind - 8)
        else:
            values.append(part.decode() if kind % 2 else part)
    return values


def read_pages(path: Path) -> Pages:
    """Read the pages of a file; committed pages of its write-ahead log replace older ones."""
    data = path.read_bytes()
    size = struct.unpack_from(">H", data, 16)[0] if data.startswith(HEADER) and len(data) >= 100 else DEFAULT_PAGE_SIZE
    size = 65536 if size == 1 else size
    if size < 512 or size & (size - 1):
        size = DEFAULT_PAGE_SIZE
    pages = {k + 1: data[k * size : (k + 1) * size] for k in range(-(-len(data) // size))}
    promised = struct.unpack_from(">I", data, 28)[0] if data.startswith(HEADER) and len(data) >= 100 else 0
    log = WriteAheadLog(path, size)
    pages |= log.pages(len(pages))
    last = max(pages, default=0)
    whole = [pages.get(number, b"").ljust(size, b"\0") for number in range(1, last + 1)]
    return Pages(size, whole, max(0, promised - last) if promised < 1 << 24 else 0, log.left_out())
