"""Text that others wrote, such as files, engines, players and managers: numbers in it, and how to print it."""

import math
import re

MAX_DIGITS = 18  # fits 64 bits; int() raises ValueError above 4,300 digits
_REAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_UNPRINTABLE = re.compile(  # all control characters except tab and newline, text direction, and halves of characters
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def is_whole_number(word: str) -> bool:
    """Whether a word is a non-negative integer of at most MAX_DIGITS digits 0 to 9."""
    return word.isascii() and word.isdigit() and len(word) <= MAX_DIGITS


def real_number(word: str) -> float | None:
    """Parse a finite decimal number, or return None."""
    value = float(word) if _REAL.fullmatch(word) else math.nan
    return value if math.isfinite(value) else None


def printable(text: str) -> str:
    r"""Escape what would control a terminal, e.g. the character of code 27 as ``\x1b``. Lines and tabs stay."""
    return _UNPRINTABLE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found.group())
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
