"""What a watcher sees while games are played: a table on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, TextIO

from ramify.arena.matches.standing import duration, percent, percent_interval, test_text
from ramify.runs.driver import Driver

if TYPE_CHECKING:
    from rich.table import Table

TABLE_SECONDS = 0.5  # between two drawings; one costs about 4 ms
LINE_SECONDS = 5.0
SHOWN = 30  # pairings in the table


@contextmanager
def watching(
    stream: TextIO | None = None,
    line: Callable[[Any], str] | None = None,
    picture: Callable[[Any], object] | None = None,
) -> Iterator[Callable[[Any], None]]:
    """A function to be called with the driver after each batch; ``line`` and ``picture`` say how it stands."""
    stream = stream or sys.stderr
    if not stream.isatty():
        yield Lines(stream, line or status)
        return
    from rich.console import Console  # noqa: PLC0415  (slow to import, and only for terminals)
    from rich.live import Live  # noqa: PLC0415

    with Live(console=Console(file=stream), auto_refresh=False, transient=True) as live:
        yield Screen(live, picture or table)


class Lines:
    """A line at the start and every few seconds."""

    def __init__(self, stream: TextIO, line: Callable[[Any], str]) -> None:
        self.stream = stream
        self.line = line
        self.shown = monotonic()

    def __call__(self, driver: Any) -> None:
        """Print a line if it is time."""
        if monotonic() - self.shown >= LINE_SECONDS:
            self.shown = monotonic()
            print(self.line(driver), file=self.stream, flush=True)


class Screen:
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


def status(driver: Driver) -> str:
    """One line: progress, and the score where there is one pairing."""
    parts = [
        f"{driver.done:,}/{driver.total:,} games",
        f"{driver.rate():.2f} games/s",
        f"at most {duration(driver.seconds_left())} left"
        if driver.tallies[0].test
        else f"{duration(driver.seconds_left())} left",
    ]
    if len(driver.tallies) == 1:
        standing = driver.tallies[0].standing()
        parts.insert(1, f"score {percent(standing.score)} {percent_interval(standing.interval)}")
        if standing.test is not None:
            parts.insert(2, test_text(standing))
    return ", ".join(parts)


def table(driver: Driver) -> Table:
    """The standings so far."""
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    tested = any(tally.test for tally in driver.tallies)
    drawn = Table(
        caption=f"{driver.done:,}/{driver.total:,} games, {driver.rate():.2f} games/s, "
        f"{'at most ' if tested else ''}{duration(driver.seconds_left())} left"
    )
    for heading in ("game", "first", "second"):
        drawn.add_column(heading)
    for heading in ("games", "score", "95%", *(["LLR"] if tested else [])):
        drawn.add_column(heading, justify="right")
    for tally in driver.tallies[:SHOWN]:
        standing = tally.standing()
        cells = [
            tally.pairing.game,
            tally.pairing.first.label,
            tally.pairing.second.label,
            f"{standing.games:,}",
            percent(standing.score),
            percent_interval(standing.interval),
            *([test_text(standing)] if tested else []),
        ]
        drawn.add_row(*(Text(cell) for cell in cells))  # as text: brackets of an agent are not markup
    return drawn
