"""How far a long computation is: one line that is written anew on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, TextIO

LINE_SECONDS = 0.25  # between two drawings on a terminal
ERASE = "\r\x1b[K"


@contextmanager
def progress_line(say: Callable[[Any], str]) -> Iterator[Callable[[Any], None]]:
    """A function to be called now and then with whatever ``say`` makes a line of."""
    from ramify.runs.live_display import LineDisplay

    if not sys.stderr.isatty():
        yield LineDisplay(sys.stderr, say)
        return
    line = TerminalLine(sys.stderr, say)
    try:
        yield line
    finally:
        line.erase()


class TerminalLine:
    """The last line of a terminal."""

    def __init__(self, stream: TextIO, say: Callable[[Any], str]) -> None:
        self.stream = stream
        self.say = say
        self.shown = 0.0

    def __call__(self, what: Any) -> None:
        """Write it anew if it is time."""
        if monotonic() - self.shown >= LINE_SECONDS:
            self.shown = monotonic()
            width = shutil.get_terminal_size().columns - 1
            print(ERASE + self.say(what)[:width], end="", file=self.stream, flush=True)

    def erase(self) -> None:
        """Leave nothing of it."""
        if self.shown:
            print(ERASE, end="", file=self.stream, flush=True)
