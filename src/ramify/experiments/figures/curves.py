"""Panels of curves with confidence bands, as PNG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ramify.arena.reports.png import GREY, picture
from ramify.old_names import old_members
from ramify.statistics.inference import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")  # Okabe and Ito
STYLES = ("-", "--", "-.", ":")
WIDTH, HEIGHT = 4.2, 3.0  # size of a panel in inches
ALONE = (6.4, 3.8)  # size of a single panel


@old_members(of="from_intervals")
@dataclass(frozen=True)
class Curve:
    """A line through estimates, with a band if it has intervals."""

    label: str
    x: npt.ArrayLike
    y: npt.ArrayLike
    low: npt.ArrayLike | None = None
    high: npt.ArrayLike | None = None

    @classmethod
    def from_intervals(cls, label: str, x: npt.ArrayLike, intervals: Sequence[Interval]) -> Curve:
        y, low, high = np.array(intervals, np.float64).reshape(-1, 3).T
        return cls(label, x, y, low, high)


@dataclass(frozen=True)
class Panel:
    """One set of axes."""

    title: str
    curves: Sequence[Curve]
    x: str
    y: str = ""
    powers: bool = False  # logarithmic x axis, base 2; every estimate is marked
    marked: bool = False  # every estimate is marked
    levels: Sequence[float] = ()  # dotted horizontal lines
    limits: tuple[float, float] | None = None  # of y


@picture
def panels(figure: Figure, given: Sequence[Panel], columns: int = 2) -> None:
    """Draw panels in a grid with ``columns`` columns."""
    columns = min(columns, len(given))
    rows = -(-len(given) // columns)
    width, height = ALONE if len(given) == 1 else (WIDTH * columns, HEIGHT * rows)
    figure.set_size_inches(width, height)
    grid = figure.subplots(rows, columns, squeeze=False).reshape(-1)
    for axes, panel in zip(grid, given, strict=False):
        _draw(axes, panel)
    for axes in grid[len(given) :]:
        axes.set_axis_off()


def _draw(axes: Axes, panel: Panel) -> None:
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator  # noqa: PLC0415  (slow to import)

    for level in panel.levels:
        axes.axhline(level, color=GREY, linewidth=0.8, linestyle=":")
    for place, curve in enumerate(panel.curves):
        colour = COLOURS[place % len(COLOURS)]
        x, y = np.asarray(curve.x, np.float64), np.asarray(curve.y, np.float64)
        mark = "o" if panel.powers or panel.marked else ""
        style = STYLES[place // len(COLOURS) % len(STYLES)]
        axes.plot(x, y, style, marker=mark, markersize=3, linewidth=1.4, color=colour, label=curve.label)
        if curve.low is None or curve.high is None:
            continue
        low, high = (np.asarray(end, np.float64) for end in (curve.low, curve.high))
        known = np.isfinite(low) & np.isfinite(high)
        axes.fill_between(x, low, high, where=known.tolist(), color=colour, alpha=0.15, linewidth=0)
    if panel.powers:
        axes.set_xscale("log", base=2)
        shown = np.unique(np.concatenate([np.asarray(curve.x, np.float64) for curve in panel.curves]))
        every = max(1, -(-len(shown) // 6))
        axes.xaxis.set_major_locator(FixedLocator(shown[::every].tolist()))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    if panel.limits is not None:
        axes.set_ylim(*panel.limits)
    axes.set_title(panel.title, fontsize=10)
    axes.set_xlabel(panel.x)
    axes.set_ylabel(panel.y)
    axes.grid(alpha=0.3)
    if len(panel.curves) > len(COLOURS):  # a legend inside the axes would hide curves
        axes.legend(fontsize=8, frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    elif any(curve.label for curve in panel.curves):
        axes.legend(fontsize=8, frameon=False)
