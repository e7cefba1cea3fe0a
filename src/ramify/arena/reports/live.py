"""Live standings while games are played: one line or a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ramify.arena.matches.standing import test_text
from ramify.arena.matches.tally import ScoreAggregator
from ramify.runs.driver import Driver
from ramify.runs.live_display import MAX_TABLE_ROWS, duration
from ramify.statistics.format import percent, percent_interval
from ramify.terminal import printable

if TYPE_CHECKING:
    from rich.table import Table


def status(driver: Driver[ScoreAggregator]) -> str:
    """One line: progress, and the score if there is only one pairing."""
    tallies = driver.aggregator.tallies
    parts = [
        f"{driver.done:,}/{driver.total:,} games",
        f"{driver.jobs_per_second():.2f} games/s",
        f"at most {duration(driver.seconds_left())} left"
        if tallies[0].test
        else f"{duration(driver.seconds_left())} left",
    ]
    if len(tallies) == 1:
        standing = tallies[0].standing()
        parts.insert(1, f"score {percent(standing.score)} {percent_interval(standing.interval)}")
        if standing.test is not None:
            parts.insert(2, test_text(standing))
    return ", ".join(parts)


def table(driver: Driver[ScoreAggregator]) -> Table:
    from rich.table import Table  # noqa: PLC0415  (slow to import, and only for terminals)
    from rich.text import Text  # noqa: PLC0415

    tallies = driver.aggregator.tallies
    tested = any(tally.test for tally in tallies)
    drawn = Table(
        caption=f"{driver.done:,}/{driver.total:,} games, {driver.jobs_per_second():.2f} games/s, "
        f"{'at most ' if tested else ''}{duration(driver.seconds_left())} left"
    )
    for heading in ("game", "first", "second"):
        drawn.add_column(heading)
    for heading in ("games", "score", "95%", *(["LLR"] if tested else [])):
        drawn.add_column(heading, justify="right")
    for tally in tallies[:MAX_TABLE_ROWS]:
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
        drawn.add_row(*(Text(printable(cell)) for cell in cells))  # Text: an agent's brackets are not markup
    return drawn
