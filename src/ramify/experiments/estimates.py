"""Estimates with confidence intervals from sums and rows of trials."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from ramify.arena.statistics.inference import Interval, wilson

CONFIDENCE = 0.95


def share(successes: float, trials: float, confidence: float = CONFIDENCE) -> Interval:
    """How often trials succeed: Wilson's interval."""
    return wilson(successes, trials, confidence)


def share_difference(a: Interval, b: Interval) -> Interval:
    """One share minus another, from their intervals.

    Source: R. G. Newcombe, Statistics in Medicine 17 (1998), 873-890, method 10: the ends of the two intervals, added
    as squares, so that it holds for shares near 0 and 1, too.
    """
    difference = a.estimate - b.estimate
    below = math.hypot(a.estimate - a.low, b.high - b.estimate)
    above = math.hypot(a.high - a.estimate, b.estimate - b.low)
    return Interval(difference, difference - below, difference + above)


def mean(values: npt.ArrayLike, confidence: float = CONFIDENCE, grain: float = 0.0) -> Interval:
    """The mean of independent values by Student's interval; of differences within pairs, the paired test's.

    Fewer than two values say nothing about their spread: the interval is then infinite. ``grain`` is the least that the
    mean can change by, as by one more success; a few equal values must not make an interval narrower than that.
    """
    given = np.asarray(values, np.float64)
    count = len(given)
    if count < 2:
        return Interval(float(given.mean()) if count else math.nan, -math.inf, math.inf)
    half = float(stdtrit(count - 1, (1 + confidence) / 2)) * float(given.std(ddof=1)) / math.sqrt(count)
    centre, half = float(given.mean()), max(half, grain)
    return Interval(centre, centre - half, centre + half)


def mean_difference(a: npt.ArrayLike, b: npt.ArrayLike, confidence: float = CONFIDENCE) -> Interval:
    """The difference of the means of two independent groups, by Welch's interval (B. L. Welch, Biometrika 34, 1947)."""
    groups = [np.asarray(values, np.float64) for values in (a, b)]
    difference = float(groups[0].mean() - groups[1].mean())
    if min(len(group) for group in groups) < 2:
        return Interval(difference, -math.inf, math.inf)
    parts = [float(group.var(ddof=1)) / len(group) for group in groups]
    total = sum(parts)
    if total == 0.0:
        return Interval(difference, difference, difference)
    degrees = total**2 / sum(part**2 / (len(group) - 1) for part, group in zip(parts, groups, strict=True))
    half = float(stdtrit(degrees, (1 + confidence) / 2)) * math.sqrt(total)
    return Interval(difference, difference - half, difference + half)


def bands(rows: npt.ArrayLike, confidence: float = CONFIDENCE) -> tuple[npt.NDArray[np.float64], ...]:
    """``mean`` of every column at once: means, lower ends, upper ends."""
    given = np.asarray(rows, np.float64)
    count = len(given)
    centre = given.mean(axis=0)
    if count < 2:
        return centre, np.full_like(centre, np.nan), np.full_like(centre, np.nan)
    half = float(stdtrit(count - 1, (1 + confidence) / 2)) * given.std(axis=0, ddof=1) / math.sqrt(count)
    return centre, centre - half, centre + half


def shown(interval: Interval, digits: int = 3, sign: bool = False) -> str:
    """An estimate with its interval, for a table."""
    plus = "+" if sign else ""
    if not math.isfinite(interval.low):
        return f"{interval.estimate:{plus}.{digits}f}"
    low, high = f"{interval.low:{plus}.{digits}f}", f"{interval.high:{plus}.{digits}f}"
    return f"{interval.estimate:{plus}.{digits}f} [{low}, {high}]"
