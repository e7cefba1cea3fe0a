"""Forest plots: estimates with their intervals, one panel per group and one line per label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ramify.arena.reports.png import BLUE, GREY, picture
from ramify.experiments.figures.curves import PUBLISHED, TOTAL_WIDTH, look
from ramify.statistics.inference import Interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LINE, AROUND = 0.2, 0.6  # inches: line height, margins above and below the lines
BELOW = 0.25  # of a line: published values are drawn lower


@picture
def forest(
    figure: Figure,
    given: Mapping[str, Mapping[str, Interval]],
    places: Sequence[str],
    x: str,
    level: float = 0.5,
    columns: int = 3,
    printed: Mapping[str, Mapping[str, Interval]] | None = None,
) -> None:
    """Draw a dot and a line per interval, and a diamond per published one, a little below.

    ``given`` and ``printed``: intervals by panel title and label; missing labels leave a gap.
    """
    columns = min(columns, len(given))
    rows = -(-len(given) // columns)
    figure.set_size_inches(TOTAL_WIDTH, rows * (AROUND + LINE * len(places)))
    grid = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True).reshape(-1)
    for axes, (title, found) in zip(grid, given.items(), strict=False):
        axes.axvline(level, color=GREY, linewidth=0.8, linestyle=":")
        for height, place in enumerate(places):
            if place in found:
                one = found[place]
                axes.plot([one.low, one.high], [height, height], color=BLUE, linewidth=2, alpha=0.6)
                axes.plot(one.estimate, height, "o", color=BLUE, markersize=4)
            if place in (shown := (printed or {}).get(title, {})):
                style, (middle, low, high) = look(PUBLISHED, 0), shown[place]
                axes.plot([low, high], [height + BELOW] * 2, color=style["color"], linewidth=1)
                axes.plot(middle, height + BELOW, markersize=4, **style)
        axes.set_title(title, fontsize=9)
        axes.tick_params(labelsize=8)
        axes.grid(axis="x", alpha=0.3)
    for axes in grid[len(given) :]:
        axes.set_axis_off()
    grid[0].set_yticks(range(len(places)), places)
    grid[0].set_ylim(len(places) - 0.5, -0.5)
    figure.supxlabel(x, fontsize=8)
