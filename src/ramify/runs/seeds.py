"""Seeds made from other seeds, so that no part of a run depends on the order in which parts are carried out."""

from __future__ import annotations

import hashlib


def derive(*path: int | str) -> int:
    """A seed of 63 bits (SQLite's whole numbers are signed) from a path of numbers and words."""
    text = "/".join(str(step) for step in path)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest()) >> 1
