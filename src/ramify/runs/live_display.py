"""Progress display of a run: a table on a terminal, a line every few seconds elsewhere."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, TextIO

from ramify.terminal import unescaped

TABLE_SECONDS = 0.5  # between refreshes, each about 4 ms
LINE_SECONDS = 5.0
MAX_TABLE_ROWS = 30  # beyond which callers should abridge a table


@contextmanager
def live_display(
    line: Callable[[Any], str], table: Callable[[Any], object], stream: TextIO | None = None
) -> Iterator[Callable[[Any], None]]:
    """Yield a callback for ``Driver.run``. ``line`` and ``table`` render the driver's progress."""
    stream = stream or sys.stderr
    if not stream.isatty():
        yield LineDisplay(stream, line)
        return
    from rich.console import Console  # noqa: PLC0415  (slow to import, and only for terminals)
    from rich.live import Live  # noqa: PLC0415

    with Live(console=Console(file=unescaped(stream)), auto_refresh=False, transient=True) as live:
        yield TableDisplay(live, table)


class LineDisplay:
    """Prints a line every LINE_SECONDS."""

    def __init__(self, stream: TextIO, line: Callable[[Any], str]) -> None:
        self.stream = stream
        self.line = line
        self.shown = monotonic()

    def __call__(self, driver: Any) -> None:
        if monotonic() - self.shown >= LINE_SECONDS:
            self.shown = monotonic()
            print(self.line(driver), file=self.stream, flush=True)


class TableDisplay:
    """Redraws a table every TABLE_SECONDS."""

    def __init__(self, live: Any, table: Callable[[Any], object]) -> None:
        self.live = live
        self.table = table
        self.shown = 0.0

    def __call__(self, driver: Any) -> None:
        if monotonic() - self.shown >= TABLE_SECONDS:
            self.shown = monotonic()
            self.live.update(self.table(driver), refresh=True)


def duration(seconds: float | None) -> str:
    """Format seconds as h:mm:ss or m:ss; "-" if unknown."""
    if seconds is None or not math.isfinite(seconds):
        return "-"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
