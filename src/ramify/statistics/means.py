"""Normal intervals of the mean of many independent values."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ramify.statistics.pairs import Floats


def mean_half_width(variance: npt.ArrayLike, count: int, confidence: float = 0.95) -> Floats:
    """Return half the width of the interval of a mean, z sqrt(variance / count), for each variance."""
    from ramify.statistics.inference import normal_quantile  # noqa: PLC0415  (0.1 s to import, with SciPy)

    half: Floats = normal_quantile(confidence) * np.sqrt(np.asarray(variance, np.float64) / count)
    return half
