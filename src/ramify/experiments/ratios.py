"""A ratio of two means over the same trials, with its confidence interval."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ramify.arena.statistics.inference import Interval
from ramify.experiments.estimates import CONFIDENCE, mean


def ratio(a: npt.ArrayLike, b: npt.ArrayLike, confidence: float = CONFIDENCE, grain: float = 0.0) -> Interval:
    """The mean of ``a`` over the mean of ``b``, values of the same trials in pairs.

    The interval is Student's of what is left of ``a`` once its share of ``b`` is taken away, in units of the mean of
    ``b`` (W. G. Cochran, Sampling Techniques, 1977, section 6.4). Where the mean of ``b`` is not above 0, nothing is
    known. ``grain`` is the least that the mean of ``a`` can change by.
    """
    over, under = (np.asarray(values, np.float64) for values in (a, b))
    if not len(under) or not under.mean() > 0.0:
        return Interval(math.nan, -math.inf, math.inf)
    unit = float(under.mean())
    centre = float(over.mean()) / unit
    rest = mean(over - centre * under, confidence, grain)
    return Interval(centre, centre + rest.low / unit, centre + rest.high / unit)
