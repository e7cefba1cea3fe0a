"""Digests that show whether the rows and the description of a run are as they were stored.

A digest is ``ID-HASH``. The id is random and shared by all rows of a run, so a row of another run does not fit, and
rows can be verified even if the description is lost. Digests reveal damage and mistakes, not forgery.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

Ranges = tuple[tuple[int, int], ...]  # ascending, each with its first and last number


def digest_of(run: str, kind: str, values: Sequence[object]) -> str:
    """Return the digest of values: numbers and texts, as SQLite returns them."""
    text = json.dumps((run, kind, *values))
    return f"{run}-{hashlib.blake2b(text.encode(), digest_size=8).hexdigest()}"


def ranges(numbers: Iterable[int]) -> Ranges:
    """Return the ranges that cover exactly these numbers."""
    found: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if found and number == found[-1][1] + 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return tuple(found)


@dataclass(frozen=True)
class RunDigests:
    """The digests of one run."""

    run: str  # id of the run
    undigested: Ranges = ()  # numbers of rows that an older version stored without digests

    @classmethod
    def new(cls, undigested: Iterable[int] = ()) -> Self:
        return cls(secrets.token_hex(4), ranges(undigested))

    def may_lack(self, number: int) -> bool:
        """Return whether the row with this number may have no digest."""
        place = bisect(self.undigested, number, key=lambda one: one[0]) - 1
        return place >= 0 and number <= self.undigested[place][1]

    def entries(self, description: str) -> dict[str, str]:
        """Return the entries of the table ``run`` for a description."""
        undigested = json.dumps(self.undigested)
        digest = digest_of(self.run, "run", (description, undigested))
        return {"description": description, "undigested": undigested, "digest": digest}

    @classmethod
    def from_entries(cls, entries: Mapping[str, object]) -> Self | None:
        """Return the digests of a run, or None if its entries do not match their digest."""
        description, undigested, digest = (entries.get(key) for key in ("description", "undigested", "digest"))
        if not (isinstance(description, str) and isinstance(undigested, str) and isinstance(digest, str)):
            return None
        run = digest.partition("-")[0]
        if digest != digest_of(run, "run", (description, undigested)):
            return None
        return cls(run, tuple((first, last) for first, last in json.loads(undigested)))


# Of a file of an older version, which has no digests at all.
NO_DIGESTS = RunDigests("", ((-(2**63), 2**63 - 1),))
