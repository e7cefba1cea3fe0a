"""Numbers in texts that others wrote: files, engines, players, managers. Only the digits 0 to 9 count."""

import math
import re

from ramify.errors import RamifyError

MAX_COUNT = 1_000_000_000  # of games, rounds or simulations of a check; more would never end
MAX_DIGITS = 18  # fits 64 bits; int() raises ValueError above 4,300 digits
_REAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def is_whole_number(word: str) -> bool:
    """Whether a word is a non-negative integer of at most MAX_DIGITS digits."""
    return word.isascii() and word.isdigit() and len(word) <= MAX_DIGITS


def real_number(word: str) -> float | None:
    """Parse a finite decimal number, or return None."""
    value = float(word) if _REAL.fullmatch(word) else math.nan
    return value if math.isfinite(value) else None


def reject_endless(what: str, count: int) -> None:
    """Raise if a count is so large that its work would never end."""
    if count > MAX_COUNT:
        raise RamifyError(f"{what} must be at most {MAX_COUNT:,}, not {count}")
