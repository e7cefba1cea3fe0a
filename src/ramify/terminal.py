"""Output that cannot control a terminal, whatever names it quotes from files, engines, players and managers."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

_UNPRINTABLE = re.compile(  # all control characters except tab and newline, text direction, and halves of characters
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def printable(text: str) -> str:
    r"""Escape what would control a terminal, e.g. the character of code 27 as ``\x1b``. Lines and tabs stay."""
    return _UNPRINTABLE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found.group())
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


class PrintableStream:
    """A text stream that escapes what is written to it. ``unescaped`` is the stream itself."""

    def __init__(self, stream: TextIO) -> None:
        self.unescaped = stream

    def write(self, text: str) -> int:
        return self.unescaped.write(printable(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unescaped, name)


def unescaped(stream: TextIO) -> TextIO:
    """Return the stream for a display that moves the cursor, and that escapes names itself."""
    return stream.unescaped if isinstance(stream, PrintableStream) else stream


@contextmanager
def printable_output() -> Iterator[None]:
    """Escape everything that is printed in this block."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (PrintableStream(stream) if stream else stream for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
