"""Ratio of two means over the same trials, with its confidence interval."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ramify.experiments.framework.estimates import NO_ESTIMATE, Estimate, mean
from ramify.statistics.inference import Interval


def ratio(a: npt.ArrayLike, b: npt.ArrayLike, grain: float = 0.0) -> Estimate:
    """Mean of ``a`` over mean of ``b``, paired by trial.

    The interval is Student's interval of the residuals ``a - ratio * b``, in units of the mean of ``b`` (W. G. Cochran,
    Sampling Techniques, 1977, section 6.4). Returns NO_ESTIMATE unless the mean of ``b`` is positive. ``grain`` is the
    smallest possible change of the mean of ``a``.
    """
    over, under = (np.asarray(values, np.float64) for values in (a, b))
    if not len(under) or not under.mean() > 0.0:
        return NO_ESTIMATE
    unit = float(under.mean())
    centre = float(over.mean()) / unit
    rest = mean(over - centre * under, grain)

    def at(confidence: float) -> Interval:
        left = rest.at(confidence)
        return Interval(centre, centre + left.low / unit, centre + left.high / unit)

    return Estimate.from_function(at)
