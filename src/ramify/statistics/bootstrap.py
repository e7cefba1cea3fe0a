"""Bootstrap intervals of a mean (B. Efron, Annals of Statistics 7, 1979)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ramify.statistics.inference import Interval

RESAMPLES = 4000
SEED = 1  # fixed, so results are reproducible


def bootstrap_mean(values: Sequence[float], confidence: float = 0.95, grain: float = 0.0) -> Interval:
    """Return the mean with its percentile interval, which is infinite for fewer than two values.

    The resampled means are spread by sqrt(n / (n - 1)), because resampling n values underestimates their standard
    deviation by that factor. The interval extends at least ``grain`` to each side: a few equal values must not give a
    narrower one. Pass the smallest amount by which one more value can change the mean.
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
