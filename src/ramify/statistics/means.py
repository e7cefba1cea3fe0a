"""The interval of a mean of many independent values, by the normal approximation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ramify.statistics.pairs import Floats


def mean_half_width(variance: npt.ArrayLike, count: int, confidence: float = 0.95) -> Floats:
    """Half the width of the interval of a mean: z sqrt(variance / count), for each of the variances given."""
    from ramify.statistics.inference import normal_quantile  # noqa: PLC0415  (with SciPy's functions 0.1 s to import)

    half: Floats = normal_quantile(confidence) * np.sqrt(np.asarray(variance, np.float64) / count)
    return half
