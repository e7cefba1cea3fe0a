"""Panels of curves with confidence bands, as PNG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
PUBLISHED = "published"  # label of a paper's own values, which look the same in all pictures
PAPER_GREY = "#555555"
TOTAL_WIDTH = 6.4  # of every picture, in inches: letters of size 8 are legible when it is 600 pixels wide
HEIGHT, ALONE_HEIGHT = 2.6, 3.8  # of a panel, and of a single one
ROW_LETTERS = 80  # letters in a row of the legend, about
MAX_BARS = 8  # curves with more estimates have a band instead of error bars
MAX_TICKS = 6


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
    """Draw panels in a grid with ``columns`` columns, and one legend outside of them."""
    columns = min(columns, len(given))
    rows = -(-len(given) // columns)
    figure.set_size_inches(TOTAL_WIDTH, ALONE_HEIGHT if len(given) == 1 else HEIGHT * rows)
    grid = figure.subplots(rows, columns, squeeze=False).reshape(-1)
    for axes, panel in zip(grid, given, strict=False):
        _draw(axes, panel)
    for axes in grid[len(given) :]:
        axes.set_axis_off()
    legend_outside(figure)


def legend_outside(figure: Figure) -> None:
    """Add a legend of all axes: on the right if the labels are many and short, otherwise below."""
    found: dict[str, Any] = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    if not found:
        return
    longest = max(map(len, found))
    if len(found) > len(COLOURS) and longest <= 12 and len(figure.axes) == 1:
        figure.legend([*found.values()], [*found], loc="outside right center", fontsize=8, frameon=False)
        return
    in_a_row = min(len(found), max(1, ROW_LETTERS // (longest + 6)))
    rows = -(-len(found) // in_a_row)
    columns = -(-len(found) // rows)
    figure.legend([*found.values()], [*found], loc="outside lower center", ncols=columns, fontsize=8, frameon=False)


def look(label: str, place: int) -> dict[str, Any]:
    """Return colour and marker of a series: those of the paper's own values, or those of its place."""
    if label == PUBLISHED:
        return {"color": PAPER_GREY, "marker": "D", "markerfacecolor": "white"}
    return {"color": COLOURS[place % len(COLOURS)], "marker": "o"}


def _draw(axes: Axes, panel: Panel) -> None:
    for level in panel.levels:
        axes.axhline(level, color=GREY, linewidth=0.8, linestyle=":")
    for place, curve in enumerate(panel.curves):
        _draw_curve(axes, curve, place, marked=panel.powers or panel.marked)
    x = np.concatenate([np.asarray(curve.x, np.float64) for curve in panel.curves])
    if panel.powers:
        _set_powers(axes, x)
    elif (x == np.rint(x)).all():  # numbers of boxes or plies: no label at 17.5
        axes.locator_params(axis="x", integer=True)
    if panel.limits is not None:
        axes.set_ylim(*panel.limits)
    axes.set_title(panel.title, fontsize=9)
    axes.set_xlabel(panel.x, fontsize=8)
    axes.set_ylabel(panel.y, fontsize=8)
    axes.tick_params(labelsize=8)
    axes.grid(alpha=0.3)


def _draw_curve(axes: Axes, curve: Curve, place: int, marked: bool) -> None:
    x, y = np.asarray(curve.x, np.float64), np.asarray(curve.y, np.float64)
    style = "--" if curve.label == PUBLISHED else STYLES[place // len(COLOURS) % len(STYLES)]
    drawn = look(curve.label, place) | ({} if marked else {"marker": ""})
    drawn |= {"linestyle": style, "markersize": 3.5, "linewidth": 1.3, "label": curve.label}
    if curve.low is None or curve.high is None:
        axes.plot(x, y, **drawn)
        return
    low, high = (np.asarray(end, np.float64) for end in (curve.low, curve.high))
    known = np.isfinite(low) & np.isfinite(high)
    if marked and len(x) <= MAX_BARS:
        axes.errorbar(x, y, np.where(known, [y - low, high - y], 0.0), elinewidth=1, capsize=2, **drawn)
        return
    axes.plot(x, y, **drawn)
    axes.fill_between(x, low, high, where=known.tolist(), color=drawn["color"], alpha=0.15, linewidth=0)


def _set_powers(axes: Axes, x: npt.NDArray[np.float64]) -> None:
    """Make the x axis logarithmic, with labels at measured places that do not touch each other."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator  # noqa: PLC0415  (slow to import)

    axes.set_xscale("log", base=2)
    shown: list[float] = []
    places = np.unique(x)
    room = np.log(places[-1] / places[0]) / MAX_TICKS
    for place in places:
        if not shown or np.log(place / shown[-1]) >= room:
            shown.append(float(place))
    axes.xaxis.set_major_locator(FixedLocator(shown))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
