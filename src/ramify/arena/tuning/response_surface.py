"""A smooth curve through noisy scores: regression by a Gaussian process with known noise.

Source: C. E. Rasmussen and C. K. I. Williams, "Gaussian Processes for Machine Learning" (2006), algorithm 2.1. The
width and the height of the hills are those of a small grid under which the scores are most likely; the level that the
hills stand on is unknown as well.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.linalg import cho_solve, cholesky

from ramify.statistics.inference import normal_quantile, score_interval
from ramify.statistics.pairs import Floats, PairedResults

WIDTHS = (0.1, 0.15, 0.25, 0.4, 0.7, 1.2)  # as shares of a range
HEIGHTS = (0.02, 0.05, 0.1, 0.2)  # of score
LEVEL, LEVEL_DEVIATION = 0.5, 0.25


class ResponseSurface:
    """The expected score at any place, from scores at some."""

    def __init__(self, places: Sequence[Sequence[float]], results: Sequence[PairedResults]) -> None:
        self._places = np.asarray(places, dtype=np.float64)
        scores = np.array([result.pair_score for result in results])
        noise = np.array([_deviation(result) ** 2 for result in results])
        rest = scores - LEVEL
        best = -np.inf
        for width in WIDTHS:
            for height in HEIGHTS:
                root = cholesky(_kernel(self._places, self._places, width, height) + np.diag(noise), lower=True)
                weights = cho_solve((root, True), rest)
                likelihood = -0.5 * rest @ weights - np.log(np.diag(root)).sum()
                if likelihood > best:
                    best = likelihood
                    self._width, self._height, self._root, self._weights = width, height, root, weights

    def __call__(self, places: Sequence[Sequence[float]] | Floats) -> tuple[Floats, Floats]:
        """The expected scores at these places, and their standard deviations."""
        across = _kernel(np.asarray(places, dtype=np.float64), self._places, self._width, self._height)
        means = LEVEL + across @ self._weights
        variances = (
            self._height**2
            + LEVEL_DEVIATION**2
            - np.einsum("ij,ji->i", across, cho_solve((self._root, True), across.T))
        )
        return means, np.sqrt(np.maximum(variances, 0.0))


def _deviation(result: PairedResults) -> float:
    interval = score_interval(result)
    return (interval.high - interval.low) / (2 * normal_quantile(0.95))


def _kernel(a: Floats, b: Floats, width: float, height: float) -> Floats:
    squares = ((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2)
    kernel: Floats = height**2 * np.exp(-squares / (2 * width**2)) + LEVEL_DEVIATION**2
    return kernel
