"""The bootstrap: an interval for a mean from resampling what was measured (B. Efron, Annals of Statistics 7, 1979)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ramify.statistics.inference import Interval

RESAMPLES = 4000
SEED = 1  # the same interval every time


def bootstrap_mean(values: Sequence[float], confidence: float = 0.95, grain: float = 0.0) -> Interval:
    """The mean with its percentile interval; of fewer than two values an infinite one.

    Each end is that of the resampled means, widened by sqrt(n / (n - 1)): resampling n values underrates their spread
    by that much, which shows where there are few. ``grain`` is the least that one more value may change the mean by: a
    few equal values must not make an interval narrower than that.
    """
    given = np.asarray(values, np.float64)
    count = len(given)
    if count < 2:
        return Interval(float(given.mean()) if count else math.nan, -math.inf, math.inf)
    draws = np.random.default_rng(SEED).integers(0, count, (RESAMPLES, count))
    centre = float(given.mean())
    means = centre + (given[draws].mean(axis=1) - centre) * math.sqrt(count / (count - 1))
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(centre, min(float(low), centre - grain), max(float(high), centre + grain))
