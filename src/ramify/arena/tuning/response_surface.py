"""Response surface of noisy scores: Gaussian process regression with known noise.

Source: C. E. Rasmussen and C. K. I. Williams, "Gaussian Processes for Machine Learning" (2006), algorithm 2.1. Length
scale and amplitude maximize the marginal likelihood on a small grid. The mean level is unknown: a normal prior with
mean LEVEL and deviation LEVEL_DEVIATION.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.linalg import cho_solve, cholesky

from ramify.statistics.inference import normal_quantile, score_interval
from ramify.statistics.pairs import Floats, PairedResults

LENGTH_SCALES = (0.1, 0.15, 0.25, 0.4, 0.7, 1.2)  # as fractions of a range
AMPLITUDES = (0.02, 0.05, 0.1, 0.2)  # in units of score
LEVEL, LEVEL_DEVIATION = 0.5, 0.25


class ResponseSurface:
    """Expected score at any point of the parameter space, from the scores of trials."""

    def __init__(self, points: Sequence[Sequence[float]], results: Sequence[PairedResults]) -> None:
        self._points = np.asarray(points, dtype=np.float64)
        scores = np.array([result.pair_score for result in results])
        noise = np.array([_deviation(result) ** 2 for result in results])
        rest = scores - LEVEL
        best = -np.inf
        for width in LENGTH_SCALES:
            for height in AMPLITUDES:
                root = cholesky(_kernel(self._points, self._points, width, height) + np.diag(noise), lower=True)
                weights = cho_solve((root, True), rest)
                likelihood = -0.5 * rest @ weights - np.log(np.diag(root)).sum()
                if likelihood > best:
                    best = likelihood
                    self._width, self._height, self._root, self._weights = width, height, root, weights

    def __call__(self, points: Sequence[Sequence[float]] | Floats) -> tuple[Floats, Floats]:
        """Return expected scores at these points and their standard deviations."""
        across = _kernel(np.asarray(points, dtype=np.float64), self._points, self._width, self._height)
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
