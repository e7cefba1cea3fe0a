"""Measured estimates with intervals beside published ones, one line per label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ramify.arena.reports.png import GREY, picture
from ramify.experiments.figures.curves import TOTAL_WIDTH, legend_outside, look
from ramify.statistics.inference import Interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LINE, AROUND = 0.33, 1.1  # inches: height of a line, and of axis and legend
APART = 0.16  # half of the distance between two series of a line


@picture
def dot_plot(
    figure: Figure,
    labels: Sequence[str],
    series: Mapping[str, Sequence[Interval]],
    x: str,
    limits: tuple[float, float] = (0.0, 1.0),
    level: float | None = 0.5,
) -> None:
    """Draw at most two series, the first above the second in each line."""
    figure.set_size_inches(TOTAL_WIDTH, AROUND + LINE * len(labels))
    axes = figure.subplots()
    if level is not None:
        axes.axvline(level, color=GREY, linewidth=0.8, linestyle=":")
    for place, (name, intervals) in enumerate(series.items()):
        drawn = look(name, place) | {"markersize": 5, "clip_on": False, "linestyle": ""}
        shift = APART * (2 * place - 1) if len(series) > 1 else 0.0
        for height, one in enumerate(intervals):
            y = height + shift
            axes.plot([one.low, one.high], [y, y], color=drawn["color"], linewidth=2, alpha=0.6, clip_on=False)
            axes.plot(one.estimate, y, label=name if height == 0 else "_", **drawn)
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set(xlim=limits, xlabel=x)
    axes.grid(axis="x", alpha=0.3)
    if len(series) > 1:
        legend_outside(figure)
