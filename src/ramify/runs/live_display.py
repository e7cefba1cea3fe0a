"""What a watcher sees while jobs are done: a table on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, TextIO

TABLE_SECONDS = 0.5  # between two drawings; one costs about 4 ms
LINE_SECONDS = 5.0
MAX_TABLE_ROWS = 30  # rows that a table should have at most


@contextmanager
def live_display(
    line: Callable[[Any], str], picture: Callable[[Any], object], stream: TextIO | None = None
) -> Iterator[Callable[[Any], None]]:
    """A function to be called with the driver now and then; ``line`` and ``picture`` say how it stands."""
    stream = stream or sys.stderr
    if not stream.isatty():
        yield LineDisplay(stream, line)
        return
    from rich.console import Console  # noqa: PLC0415  (slow to import, and only for terminals)
    from rich.live import Live  # noqa: PLC0415

    with Live(console=Console(file=stream), auto_refresh=False, transient=True) as live:
        yield TableDisplay(live, picture)


class LineDisplay:
    """A line every few seconds."""

    def __init__(self, stream: TextIO, line: Callable[[Any], str]) -> None:
        self.stream = stream
        self.line = line
        self.shown = monotonic()

    def __call__(self, driver: Any) -> None:
        """Print a line if it is time."""
        if monotonic() - self.shown >= LINE_SECONDS:
            self.shown = monotonic()
            print(self.line(driver), file=self.stream, flush=True)


class TableDisplay:
    """A table that is drawn anew."""

    def __init__(self, live: Any, picture: Callable[[Any], object]) -> None:
        self.live = live
        self.picture = picture
        self.shown = 0.0

    def __call__(self, driver: Any) -> None:
        """Draw if it is time."""
        if monotonic() - self.shown >= TABLE_SECONDS:
            self.shown = monotonic()
            self.live.update(self.picture(driver), refresh=True)


def duration(seconds: float | None) -> str:
    """A time span for people."""
    if seconds is None or not math.isfinite(seconds):
        return "-"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
