"""Estimates from trials, each with its interval at any confidence level."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from ramify.old_names import old_attributes, old_members
from ramify.statistics.inference import Interval, wilson

CONFIDENCE = 0.95
MIN_ERROR = 1e-12  # smallest p value that is resolved


@old_members(of="from_function")
class Estimate(Interval):
    """Estimate with its 95 % interval; ``at`` returns the interval at another confidence level.

    Intervals of higher confidence contain those of lower confidence.
    """

    _at: Callable[[float], Interval]

    @classmethod
    def from_function(cls, at: Callable[[float], Interval]) -> Estimate:
        """Return the estimate whose interval at confidence x is ``at(x)``."""
        made = cls(*at(CONFIDENCE))
        made._at = at
        return made

    def at(self, confidence: float) -> Interval:
        return self._at(confidence)

    def p_value(self, bound: float) -> float:
        """Two-sided p value of the hypothesis that the true value is ``bound``.

        It is the error probability at which the interval just excludes ``bound``, found by bisection of its logarithm
        to 0.1 %.
        """

        def excludes(error: float) -> bool:
            found = self.at(1 - error)
            return found.low > bound or found.high < bound

        low, high = math.log(MIN_ERROR), math.log(1 - 1e-9)
        if not excludes(math.exp(high)):
            return 1.0
        if excludes(MIN_ERROR):
            return MIN_ERROR
        while high - low > 1e-3:
            middle = (low + high) / 2
            low, high = (low, middle) if excludes(math.exp(middle)) else (middle, high)
        return math.exp(high)


NO_ESTIMATE = Estimate.from_function(lambda _: Interval(math.nan, -math.inf, math.inf))


def share(successes: float, trials: float) -> Estimate:
    """Success rate, with Wilson's interval."""
    return Estimate.from_function(lambda confidence: wilson(successes, trials, confidence))


def share_difference(a: Estimate, b: Estimate) -> Estimate:
    """One share minus another, from their intervals.

    Source: R. G. Newcombe, Statistics in Medicine 17 (1998), 873-890, method 10. The distances to the interval ends are
    added as squares, so it is valid for shares near 0 and 1. For positively correlated shares, e.g. of the same trials,
    it is conservative.
    """

    def at(confidence: float) -> Interval:
        one, other = a.at(confidence), b.at(confidence)
        difference = one.estimate - other.estimate
        below = math.hypot(one.estimate - one.low, other.high - other.estimate)
        above = math.hypot(one.high - one.estimate, other.estimate - other.low)
        return Interval(difference, difference - below, difference + above)

    return Estimate.from_function(at)


def mean(values: npt.ArrayLike, grain: float = 0.0) -> Estimate:
    """Mean of independent values, with Student's interval; for differences within pairs, the paired t interval.

    With fewer than two values the interval is infinite. ``grain`` is the smallest possible change of the mean, e.g. by
    one more success; the half-width is at least that, so a few equal values do not give a degenerate interval.
    """
    sample = np.asarray(values, np.float64)
    count = len(sample)
    centre = float(sample.mean()) if count else math.nan
    error = float(sample.std(ddof=1)) / math.sqrt(count) if count > 1 else math.inf

    def at(confidence: float) -> Interval:
        if count < 2:
            return Interval(centre, -math.inf, math.inf)
        half = max(float(stdtrit(count - 1, (1 + confidence) / 2)) * error, grain)
        return Interval(centre, centre - half, centre + half)

    return Estimate.from_function(at)


def mean_difference(a: npt.ArrayLike, b: npt.ArrayLike) -> Estimate:
    """Difference of the means of two independent groups, with Welch's interval (B. L. Welch, Biometrika 34, 1947)."""
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
    """Apply ``mean`` to every column. Return means, lower ends and upper ends; ends are NaN if there is one row."""
    sample = np.asarray(rows, np.float64)
    count = len(sample)
    centre = sample.mean(axis=0)
    if count < 2:
        return centre, np.full_like(centre, np.nan), np.full_like(centre, np.nan)
    half = float(stdtrit(count - 1, (1 + confidence) / 2)) * sample.std(axis=0, ddof=1) / math.sqrt(count)
    return centre, centre - half, centre + half


def format_interval(interval: Interval, digits: int = 3, sign: bool = False) -> str:
    """Return e.g. ``0.500 [0.450, 0.550]``; only the estimate if the interval is infinite."""
    plus = "+" if sign else ""
    if not math.isfinite(interval.low):
        return f"{interval.estimate:{plus}z.{digits}f}"
    low, high = f"{interval.low:{plus}z.{digits}f}", f"{interval.high:{plus}z.{digits}f}"
    return f"{interval.estimate:{plus}z.{digits}f} [{low}, {high}]"


__getattr__ = old_attributes(__name__)
