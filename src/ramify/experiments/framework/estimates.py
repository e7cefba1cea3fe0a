"""Estimates with confidence intervals from sums and rows of trials; any of them can be had with another confidence."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from ramify.old_names import old_attributes
from ramify.statistics.inference import Interval, wilson

CONFIDENCE = 0.95
MIN_ERROR = 1e-12  # error probability below which a p value is not looked for


class Estimate(Interval):
    """An estimate with its interval of 95 %, which ``at`` gives with another confidence.

    Intervals of a higher confidence hold those of a lower one.
    """

    _at: Callable[[float], Interval]

    @classmethod
    def from_function(cls, at: Callable[[float], Interval]) -> Estimate:
        """The estimate whose interval is this function of the confidence."""
        made = cls(*at(CONFIDENCE))
        made._at = at
        return made

    def at(self, confidence: float) -> Interval:
        """The interval of this confidence."""
        return self._at(confidence)

    def p_value(self, bound: float) -> float:
        """Two-sided, that the true value is ``bound``: the error probability at which the interval just leaves it out.

        Found by bisection of its logarithm, to one part in a thousand.
        """

        def left_out(error: float) -> bool:
            found = self.at(1 - error)
            return found.low > bound or found.high < bound

        low, high = math.log(MIN_ERROR), math.log(1 - 1e-9)
        if not left_out(math.exp(high)):
            return 1.0
        if left_out(MIN_ERROR):
            return MIN_ERROR
        while high - low > 1e-3:
            middle = (low + high) / 2
            low, high = (low, middle) if left_out(math.exp(middle)) else (middle, high)
        return math.exp(high)


NO_ESTIMATE = Estimate.from_function(lambda _: Interval(math.nan, -math.inf, math.inf))


def share(successes: float, trials: float) -> Estimate:
    """How often trials succeed: Wilson's interval."""
    return Estimate.from_function(lambda confidence: wilson(successes, trials, confidence))


def share_difference(a: Estimate, b: Estimate) -> Estimate:
    """One share minus another, from their intervals.

    Source: R. G. Newcombe, Statistics in Medicine 17 (1998), 873-890, method 10: the ends of the two intervals, added
    as squares, so that it holds for shares near 0 and 1, too. Where the shares are of the same trials, and more often
    alike than by chance, it is wider than it need be.
    """

    def at(confidence: float) -> Interval:
        one, other = a.at(confidence), b.at(confidence)
        difference = one.estimate - other.estimate
        below = math.hypot(one.estimate - one.low, other.high - other.estimate)
        above = math.hypot(one.high - one.estimate, other.estimate - other.low)
        return Interval(difference, difference - below, difference + above)

    return Estimate.from_function(at)


def mean(values: npt.ArrayLike, grain: float = 0.0) -> Estimate:
    """The mean of independent values by Student's interval; of differences within pairs, the paired test's.

    Fewer than two values say nothing about their spread: the interval is then infinite. ``grain`` is the least that the
    mean can change by, as by one more success; a few equal values must not make an interval narrower than that.
    """
    given = np.asarray(values, np.float64)
    count = len(given)
    centre = float(given.mean()) if count else math.nan
    error = float(given.std(ddof=1)) / math.sqrt(count) if count > 1 else math.inf

    def at(confidence: float) -> Interval:
        if count < 2:
            return Interval(centre, -math.inf, math.inf)
        half = max(float(stdtrit(count - 1, (1 + confidence) / 2)) * error, grain)
        return Interval(centre, centre - half, centre + half)

    return Estimate.from_function(at)


def mean_difference(a: npt.ArrayLike, b: npt.ArrayLike) -> Estimate:
    """The difference of the means of two independent groups, by Welch's interval (B. L. Welch, Biometrika 34, 1947)."""
    groups = [np.asarray(values, np.float64) for values in (a, b)]
    difference = float(groups[0].mean() - groups[1].mean())
    if min(len(group) for group in groups) < 2:
        return Estimate.from_function(lambda _: Interval(difference, -math.inf, math.inf))
    parts = [float(group.var(ddof=1)) / len(group) for group in groups]
    total = sum(parts)
    if total == 0.0:
        return Estimate.from_function(lambda _: Interval(difference, difference, difference))
    degrees = total**2 / sum(part**2 / (len(group) - 1) for part, group in zip(parts, groups, strict=True))

    def at(confidence: float) -> Interval:
        half = float(stdtrit(degrees, (1 + confidence) / 2)) * math.sqrt(total)
        return Interval(difference, difference - half, difference + half)

    return Estimate.from_function(at)


def bands(rows: npt.ArrayLike, confidence: float = CONFIDENCE) -> tuple[npt.NDArray[np.float64], ...]:
    """``mean`` of every column at once: means, lower ends, upper ends."""
    given = np.asarray(rows, np.float64)
    count = len(given)
    centre = given.mean(axis=0)
    if count < 2:
        return centre, np.full_like(centre, np.nan), np.full_like(centre, np.nan)
    half = float(stdtrit(count - 1, (1 + confidence) / 2)) * given.std(axis=0, ddof=1) / math.sqrt(count)
    return centre, centre - half, centre + half


def format_interval(interval: Interval, digits: int = 3, sign: bool = False) -> str:
    """An estimate with its interval, for a table."""
    plus = "+" if sign else ""
    if not math.isfinite(interval.low):
        return f"{interval.estimate:{plus}z.{digits}f}"
    low, high = f"{interval.low:{plus}z.{digits}f}", f"{interval.high:{plus}z.{digits}f}"
    return f"{interval.estimate:{plus}z.{digits}f} [{low}, {high}]"


__getattr__ = old_attributes(__name__)
