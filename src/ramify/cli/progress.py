"""Progress of a long computation: one line that is redrawn on a terminal, occasional lines elsewhere."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, TextIO

from ramify.terminal import printable, unescaped

LINE_SECONDS = 0.25  # between two redraws on a terminal
ERASE = "\r\x1b[K"


@contextmanager
def progress_line(format_line: Callable[[Any], str]) -> Iterator[Callable[[Any], None]]:
    """Yield a function to call with each progress value; ``format_line`` turns a value into text."""
    from ramify.runs.live_display import LineDisplay

    if not sys.stderr.isatty():
        yield LineDisplay(sys.stderr, format_line)
        return
    line = TerminalLine(sys.stderr, format_line)
    try:
        yield line
    finally:
        line.erase()


@contextmanager
def status_line(text: str) -> Iterator[Callable[[str], None]]:
    """Show a text on a terminal as long as this block runs. Yield a function that replaces it."""
    from rich.console import Console
    from rich.text import Text  # not a string, whose brackets would be markup

    with Console(file=unescaped(sys.stderr)).status(Text(printable(text))) as status:
        yield lambda text: status.update(Text(printable(text)))


class TerminalLine:
    """The last line of a terminal."""

    def __init__(self, stream: TextIO, format_line: Callable[[Any], str]) -> None:
        self.stream = unescaped(stream)
        self.format_line = format_line
        self.shown = 0.0

    def __call__(self, value: Any) -> None:
        """Redraw if LINE_SECONDS have passed."""
        if monotonic() - self.shown >= LINE_SECONDS:
            self.shown = monotonic()
            width = shutil.get_terminal_size().columns - 1
            print(ERASE + printable(self.format_line(value))[:width], end="", file=self.stream, flush=True)

    def erase(self) -> None:
        if self.shown:
            print(ERASE, end="", file=self.stream, flush=True)
