"""Strips: estimates with error bars by name (e.g. of a game), one colour per series, as PNG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np

from ramify.arena.reports.png import GREY, picture
from ramify.experiments.figures.curves import TOTAL_WIDTH, legend_outside, look
from ramify.statistics.inference import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HEIGHT = 2.8  # of a panel, in inches
MAX_NAMES = 8  # panels with more names are as wide as the picture
# Fractions of the distance between two names.
MARKS_WIDTH = 0.7  # all marks of one name
MAX_STEP = 0.15  # between two marks
LINE_LETTERS = 12  # names are wrapped after this many letters


@dataclass(frozen=True)
class Strip:
    """One set of axes: names along x, and estimates per series."""

    title: str
    series: Mapping[str, Mapping[str, Interval]]
    y: str
    level: float  # a dotted horizontal line


@picture
def strips(figure: Figure, given: Sequence[Strip], columns: int = 2) -> None:
    """Draw panels in a grid with at most ``columns`` columns, and one legend outside of them."""
    names = max(len(set().union(*strip.series.values())) for strip in given)
    columns = min(columns, len(given), max(1, MAX_NAMES // names))
    rows = -(-len(given) // columns)
    figure.set_size_inches(TOTAL_WIDTH, HEIGHT * rows)
    grid = figure.subplots(rows, columns, squeeze=False).reshape(-1)
    for axes, strip in zip(grid, given, strict=False):
        _draw(axes, strip)
    for axes in grid[len(given) :]:
        axes.set_axis_off()
    legend_outside(figure)


def _draw(axes: Axes, strip: Strip) -> None:
    names = list(dict.fromkeys(name for found in strip.series.values() for name in found))
    steps = len(strip.series) - 1
    step = min(MAX_STEP, MARKS_WIDTH / max(1, steps))
    axes.axhline(strip.level, color=GREY, linewidth=0.8, linestyle=":")
    for place, (label, found) in enumerate(strip.series.items()):
        x = [names.index(name) + (place - steps / 2) * step for name in found]
        y, low, high = np.array(list(found.values()), np.float64).T
        known = np.isfinite(low) & np.isfinite(high)
        ends = np.where(known, [y - low, high - y], 0.0)
        drawn = look(label, place)
        axes.errorbar(x, y, ends, linestyle="", markersize=4, elinewidth=1.2, capsize=2, label=label, **drawn)
    axes.set_xticks(range(len(names)), [fill(name, LINE_LETTERS) for name in names], fontsize=8)
    axes.set_xlim(-0.6, len(names) - 0.4)
    axes.set_title(strip.title, fontsize=9)
    axes.set_ylabel(strip.y, fontsize=8)
    axes.tick_params(axis="y", labelsize=8)
    axes.grid(alpha=0.3, axis="y")
