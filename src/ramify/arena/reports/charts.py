"""Charts of a report, as PNG.

Scores use ColorBrewer's orange-purple scale, which is safe for colour-blind readers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from ramify.arena.matches.doubling import Doubling
from ramify.arena.reports.png import BLUE, GREY, ORANGE, picture
from ramify.statistics.inference import Interval
from ramify.statistics.pairs import Floats
from ramify.statistics.ratings import Ratings

STEPS = 25  # colours of the score scale; odd, so that 1/2 is white
MAX_LABEL = 36  # characters of a label in a chart; tables show all
CELLS_WITH_INTERVALS = 16  # players; with more, the cells are too small for intervals
BINS = 40
SHOWN_SHARE = 0.995  # share of games in a histogram: one slow game must not squeeze the rest


@picture
def cross_table(figure: Figure, labels: Sequence[str], cells: Mapping[tuple[int, int], Interval]) -> None:
    """Cross-table: score and interval of each row's player against each column's."""
    size = len(labels)
    side = 0.82 if size <= CELLS_WITH_INTERVALS else max(0.25, 13 / size)
    figure.set_size_inches(3.6 + side * size, max(1.9, 1.15 + 0.72 * side * size))
    axes = figure.add_subplot()
    scores = np.full((size, size), np.nan)
    for place, interval in cells.items():
        scores[place] = interval.estimate
    colours = mpl.colormaps["PuOr"].resampled(STEPS).with_extremes(bad="#E2E2E2")
    image = axes.imshow(np.ma.masked_invalid(scores), cmap=colours, vmin=0, vmax=1, aspect="auto")
    for (row, column), interval in cells.items():
        if math.isnan(interval.estimate) or size > CELLS_WITH_INTERVALS:
            continue
        ink = "white" if abs(interval.estimate - 0.5) > 0.32 else "black"
        digits = 1 if interval.high - interval.low < 0.1 else 0
        ends = f"{100 * interval.low:.{digits}f} to {100 * interval.high:.{digits}f}"
        score = f"{100 * interval.estimate:.1f}"
        for text, below, points in ((score, -0.14, 10), (ends, 0.24, 7)):
            cell = axes.text(column, row + below, text, ha="center", va="center", color=ink, fontsize=points)
            cell.set_in_layout(False)  # measuring hundreds of texts inside the axes takes a second
    axes.set_xticks(range(size), [str(k + 1) for k in range(size)])
    axes.set_yticks(range(size), [f"{short(label)}  {k + 1}" for k, label in enumerate(labels)])
    axes.tick_params(length=0)
    axes.xaxis.tick_top()
    axes.set_xticks(np.arange(size + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(size + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=1.5)
    axes.tick_params(which="minor", length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("score of the row against the column, in %")
    figure.colorbar(image, ax=axes, format=FuncFormatter(lambda value, _: f"{100 * value:.0f}"), pad=0.02)


@picture
def ratings(figure: Figure, pool: Ratings) -> None:
    """Ratings: a dot and an interval per player, strongest on top."""
    figure.set_size_inches(8, 1.1 + 0.32 * len(pool.players))
    axes = figure.add_subplot()
    for place, player in enumerate(pool.players):
        interval = pool.interval(player)
        axes.plot([interval.low, interval.high], [place, place], color=BLUE, linewidth=2, alpha=0.6)
        axes.plot(interval.estimate, place, "o", color=BLUE)
    axes.axvline(0, color=GREY, linewidth=0.8, linestyle=":")
    axes.set_yticks(range(len(pool.players)), [short(player) for player in pool.players])
    axes.set_ylim(len(pool.players) - 0.5, -0.5)
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel("Elo (mean 0), with 95% intervals")


@picture
def lengths(figure: Figure, plies: Sequence[float], seconds: Sequence[float], simulations: Sequence[float]) -> None:
    """Histograms of game length in plies, seconds and simulations."""
    figure.set_size_inches(10, 2.7)
    axes = figure.subplots(1, 3)
    _histogram(axes[0], plies, "plies")
    _histogram(axes[1], seconds, "seconds of searching")
    _histogram(axes[2], simulations, "simulations")
    axes[0].set_ylabel("games")


def _histogram(axes: Axes, values: Sequence[float], title: str) -> None:
    data = np.asarray(values, dtype=np.float64)
    largest = float(np.quantile(data, SHOWN_SHARE, method="higher"))
    shown = data[data <= largest]
    whole = bool((data == np.round(data)).all())
    distinct, counts = np.unique(shown, return_counts=True)
    if whole and distinct.size <= BINS:
        gap = float(np.diff(distinct).min()) if distinct.size > 1 else 1.0
        axes.bar(distinct, counts, width=0.9 * gap, color=BLUE)
        axes.set_xlim(distinct[0] - 2 * gap, distinct[-1] + 2 * gap)
    else:
        axes.hist(shown, bins=bins(shown, whole).tolist(), color=BLUE)
    median = float(np.median(data))
    axes.axvline(median, color=ORANGE, linewidth=1.5)
    axes.set_title(f"{title}: median {_brief(median)}")
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=whole))
    if whole:
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    if beyond := data.size - shown.size:
        axes.set_xlabel(f"{beyond:,} longer, up to {_brief(float(data.max()))}", fontsize=9)


def bins(values: Floats, whole: bool) -> Floats:
    """Return bin edges that include all values. Bins of integers hold equally many integers."""
    smallest, largest = float(values.min()), float(values.max())
    if whole:
        step = math.ceil((largest - smallest + 1) / BINS)
        return smallest - 0.5 + step * np.arange(BINS + 1.0)
    return np.linspace(smallest, largest if largest > smallest else smallest + 1, BINS + 1)


def _brief(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


@picture
def pair_scores(figure: Figure, histogram: Mapping[float, int]) -> None:
    """Histogram of pair scores in a match."""
    figure.set_size_inches(6, 2.4)
    axes = figure.add_subplot()
    scores, counts = list(histogram), list(histogram.values())
    gap = min((b - a for a, b in pairwise(scores)), default=0.25)
    bars = axes.bar(scores, counts, width=min(0.8 * gap, 0.2), color=BLUE)
    if len(scores) <= 13:
        axes.bar_label(bars, [f"{count:,}" for count in counts], fontsize=9)
    axes.set_xlim(-0.15, 1.15)
    axes.xaxis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.margins(y=0.15)
    axes.set_xlabel("score of the first agent in a pair")
    axes.set_ylabel("pairs")


@picture
def scale_curve(figure: Figure, first: int, chain: Sequence[Doubling]) -> None:
    """Cumulative Elo over budgets, and the gain of each doubling."""
    figure.set_size_inches(10, 3.6)
    left, right = figure.subplots(1, 2)
    budgets = [first, *(step.simulations for step in chain)]
    _curve(left, budgets, [Interval(0, 0, 0), *(step.total for step in chain)], joined=True)
    left.set_title(f"Elo over {first:,} simulations")
    _curve(right, budgets[1:], [step.standing.elo for step in chain], joined=False)
    right.set_title("Elo gained by the last doubling")
    right.axhline(0, color=GREY, linewidth=0.8, linestyle=":")
    for axes in (left, right):
        axes.set_xlabel("simulations per move, with 95% intervals")


def _curve(axes: Axes, budgets: Sequence[int], values: Sequence[Interval], joined: bool) -> None:
    """Plot estimates with intervals; infinite ends are arrows at the border of the finite range."""
    finite = [number for value in values for number in value if math.isfinite(number)]
    low, high = min(finite, default=0.0), max(finite, default=0.0)
    margin = 0.08 * (high - low) or 10.0
    low, high = low - margin, high + margin
    for budget, value in zip(budgets, values, strict=True):
        if math.isnan(value.estimate):
            continue
        ends = [max(value.low, low), min(value.high, high)]
        axes.plot([budget, budget], ends, color=BLUE, linewidth=2, alpha=0.6)
        for end, border, mark in ((value.low, low, "v"), (value.high, high, "^")):
            if math.isinf(end):
                axes.plot(budget, border, mark, color=BLUE, markersize=6, clip_on=False)
    known = [(budget, value.estimate) for budget, value in zip(budgets, values, strict=True)]
    known = [(budget, estimate) for budget, estimate in known if math.isfinite(estimate)]
    axes.plot(*zip(*known, strict=True), "o-" if joined else "o", color=BLUE) if known else None
    axes.set_ylim(low, high)
    axes.set_xscale("log", base=2)
    axes.set_xlim(budgets[0] / 1.3, budgets[-1] * 1.3)
    every = max(1, math.ceil(len(budgets) / 7))
    axes.xaxis.set_major_locator(FixedLocator([float(budget) for budget in budgets[::every]]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.grid(alpha=0.3)


def short(label: str) -> str:
    """Shorten a label to MAX_LABEL characters by omitting its middle."""
    if len(label) <= MAX_LABEL:
        return label
    return f"{label[: MAX_LABEL * 2 // 3]}…{label[-(MAX_LABEL // 3 - 1) :]}"
