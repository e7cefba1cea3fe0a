"""Reads the write-ahead log of an SQLite file (FILE-wal) without SQLite, which silently ignores what is damaged.

A log is a header and frames. A frame is one page; the last frame of a transaction is marked. SQLite reads frames up to
the first that has another salt than the header or does not match its checksum, and of these the complete transactions.
After a kill such a frame is normal: it is older than the log or not completely written, and nothing of the log follows.
If a complete transaction follows it, the log is damaged. The format is described in
https://www.sqlite.org/fileformat2.html#the_write_ahead_log.
"""

from __future__ import annotations

import struct
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

HEADER, FRAME_HEADER = 32, 24  # bytes
BIG_ENDIAN, LITTLE_ENDIAN = 0x377F0683, 0x377F0682  # first bytes of a log: order of the bytes that checksums sum
INCOMPLETE = "the last transaction is incomplete, as after a kill"

Words = NDArray[np.uint32]


@dataclass(frozen=True)
class LeftOut:
    """Frames of a log that SQLite leaves out."""

    log: Path
    frames: int
    why: str

    @property
    def is_damage(self) -> bool:
        """Whether a kill cannot be the reason."""
        return self.why != INCOMPLETE

    def __str__(self) -> str:
        what, whose = ("frame of {} is", "its") if self.frames == 1 else ("frames of {} are", "their")
        what = what.format(self.log)
        return f"{self.frames:,} {what} left out: {self.why}; the run's own command computes {whose} rows again"


class WriteAheadLog:
    """The log of a file with pages of ``size`` bytes; without frames if there is no log."""

    def __init__(self, path: Path, size: int) -> None:
        target = path.resolve()
        self.path = path.with_name(path.name + "-wal")
        log = target.with_name(target.name + "-wal")
        data = b""
        with suppress(FileNotFoundError):
            data = log.read_bytes()
        count = max(0, len(data) - HEADER) // (FRAME_HEADER + size)
        frames = np.frombuffer(data, np.uint8, count * (FRAME_HEADER + size), HEADER if count else 0)
        self._frames = frames.reshape(count, FRAME_HEADER + size)
        fields = self._frames[:, :FRAME_HEADER].copy().view(">u4").astype(np.uint32)
        self._numbers, self._commits, self._salts, self._sums = (
            fields[:, 0],
            fields[:, 1],
            fields[:, 2:4],
            fields[:, 4:],
        )
        self._header = data[:HEADER] if count else bytes(HEADER)

    @property
    def _has_header(self) -> bool:
        magic, _, size = struct.unpack_from(">III", self._header)
        if magic not in (BIG_ENDIAN, LITTLE_ENDIAN) or size != self._frames.shape[1] - FRAME_HEADER:
            return False
        found = checksums(self._words(np.frombuffer(self._header, np.uint8, 24).reshape(1, 24)), np.zeros((1, 2)))
        return bool(found.tolist() == [[*struct.unpack_from(">II", self._header, 24)]])

    def _words(self, data: NDArray[np.uint8]) -> Words:
        order = ">u4" if self._header[3] == BIG_ENDIAN & 0xFF else "<u4"
        return np.ascontiguousarray(data).view(order).astype(np.uint32)

    @property
    def _is_ours(self) -> NDArray[np.bool_]:
        """Whether each frame has the salt of the log; without a header, that of the first frame."""
        salt = np.frombuffer(self._header, ">u4")[4:6] if self._has_header else self._salts[:1]
        return np.asarray((self._salts == salt).all(axis=1))

    @property
    def _matches(self) -> NDArray[np.bool_]:
        """Whether each frame matches its checksum, which continues the checksum of the frame before it."""
        before = np.vstack([np.frombuffer(self._header, ">u4")[6:8], self._sums[:-1]])
        content = np.hstack([self._frames[:, :8], self._frames[:, FRAME_HEADER:]])
        return np.asarray((checksums(self._words(content), before) == self._sums).all(axis=1))

    def left_out(self) -> LeftOut | None:
        """Return the frames that SQLite leaves out, or None. Those of an unfinished transaction do not count."""
        if not len(self._frames):
            return None
        ours, commits = self._is_ours, self._commits != 0
        if not self._has_header:
            why = "the header does not match its checksum"
            return LeftOut(self.path, int(ours.sum()), why) if (ours & commits).any() else None
        matches = self._matches
        bad = np.flatnonzero(~(ours & matches))
        if not bad.size:
            return None
        first = int(bad[0])
        was_ours = bool(ours[first] or matches[first])  # checksums do not cover salts
        followed = bool((ours & commits)[first + 1 :].any())
        if not was_ours and not followed:
            return None
        read = np.flatnonzero(commits[:first])
        begin = int(read[-1]) + 1 if read.size else 0
        frames = int((ours[begin:]).sum()) + (not ours[first])
        if not followed and ours[first]:
            return LeftOut(self.path, frames, INCOMPLETE)
        return LeftOut(self.path, frames, f"frame {first + 1} does not match its checksum")

    def pages(self, stored: int) -> dict[int, bytes]:
        """Return the newest version of each page in a complete transaction, whether or not it matches its checksum.

        A flipped bit in a page's number must not make room for billions of pages: numbers are at most those of frames
        that match, or ``stored`` pages of the file and those that the log can add. Other pages are skipped.
        """
        found: dict[int, bytes] = {}
        waiting: dict[int, bytes] = {}
        if not len(self._frames):
            return found
        last = max(stored + len(self._frames), int(self._numbers[self._matches].max(initial=0)))
        for place in np.flatnonzero(self._is_ours):
            number = int(self._numbers[place])
            if 0 < number <= last:
                waiting[number] = self._frames[place, FRAME_HEADER:].tobytes()
            if self._commits[place]:
                found |= waiting
                waiting = {}
        return found


def checksums(words: Words, before: NDArray[Any]) -> Words:
    """Return SQLite's checksums of rows of words, which continue the checksums ``before``.

    For each two words x, y SQLite computes s += x + t and t += y + s (modulo 2**32). So every word is multiplied by a
    Fibonacci number.
    """
    length = words.shape[1]
    weights = _fibonacci(length + 2)
    backward = weights[length::-1]  # F(length), ..., F(0)
    start = before.astype(np.uint32)
    first = words @ backward[1:] + start @ weights[[length - 1, length]]
    second = words @ backward[:-1] + start @ weights[[length, length + 1]]
    return np.stack([first, second], axis=1)


@cache
def _fibonacci(count: int) -> Words:
    numbers = [0, 1]
    while len(numbers) < count:
        numbers.append((numbers[-1] + numbers[-2]) % 2**32)
    return np.array(numbers, np.uint32)
