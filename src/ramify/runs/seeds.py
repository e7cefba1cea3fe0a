"""Derived seeds: every part of a run has its own, so results do not depend on the order of the work."""

from __future__ import annotations

import hashlib


def derive(*path: int | str) -> int:
    """Hash a path of numbers and words to a 63-bit seed (SQLite's integers are signed)."""
    text = "/".join(str(step) for step in path)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest()) >> 1
