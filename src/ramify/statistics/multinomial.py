"""The most likely distribution of pair scores under a hypothesis about the strength difference.

Pair scores take values a_i with unknown probabilities p_i, so the likelihood is multinomial, without further
assumptions. A hypothesis fixes either the expected score or the t-value (mean - 1/2) / standard deviation.

Sources: M. Van den Bergh, "Comparing the approximations for the generalized log likelihood ratio of a multinomial
distribution" (Proposition 1.1, expected score) and "Comments on normalized Elo" (section 4.1, t-value; it gives the
fixed-point iteration). This is empirical likelihood: A. Owen, "Empirical Likelihood" (2001), chapters 2 and 3.
"""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from ramify.statistics.brent import root
from ramify.statistics.pairs import Floats, PairedResults, lattice_scores

EMPTY_COUNT = 1e-3  # pairs in an empty category, as in vdbergh/pentanomial: avoids log 0
TOLERANCE = 1e-8
MAX_STEPS = 300


@dataclass(frozen=True)
class Multinomial:
    """Observed pair scores as categories: values a_i, frequencies that sum to 1, and the number of pairs."""

    values: Floats
    frequencies: Floats
    pairs: float

    @classmethod
    def observed(cls, results: PairedResults) -> Self:
        """Build the categories: all scores that wins, draws and losses can give, and any other score that occurred."""
        values = sorted({*lattice_scores(results.games_per_pair), *results.scores})
        weights = np.array([results.histogram.get(value, EMPTY_COUNT) for value in values])
        return cls(np.array(values), weights / weights.sum(), float(weights.sum()))

    @property
    def t_value(self) -> float:
        """Observed (mean - 1/2) / standard deviation."""
        mean, deviation = _moments(self.values, self.frequencies)
        return (mean - 0.5) / deviation

    def log_likelihood(self, probabilities: Floats) -> float:
        """Return the sum over pairs of the log probability of their score."""
        return self.pairs * float(self.frequencies @ np.log(probabilities))

    def with_mean(self, mean: float) -> Floats:
        """Return the most likely probabilities with this expected score."""
        return _tilted(self.frequencies, self.values - mean)

    def with_t_value(self, t: float) -> Floats:
        """Return the most likely probabilities with (mean - 1/2) / standard deviation = t.

        For t > 0 and any m, s the function g(a) = a - 1/2 - t ((a - m)^2 / s + s) / 2 has expectation at most
        mean - 1/2 - t * deviation, with equality if m and s are the mean and the deviation. So the condition becomes
        linear, E[g] = 0, with m and s of the solution, which a fixed-point iteration finds. A start whose t-value is at
        least t keeps every step solvable. From below (observed t-value smaller than t) the likelihood rises with each
        step, but the admissible region is not convex and has a peak for each score above 1/2, so each is tried.
        """
        if t == 0:
            return self.with_mean(0.5)
        values, t = (self.values, t) if t > 0 else (1 - self.values, -t)
        mean, deviation = _moments(values, self.frequencies)
        starts = [self.frequencies]
        if mean - 0.5 < t * deviation:
            starts = [self._moved_towards(int(i), values, t) for i in np.flatnonzero(values > 0.5)]
        return max((self._iterated(start, values, t) for start in starts), key=self.log_likelihood)

    def _moved_towards(self, category: int, values: Floats, t: float) -> Floats:
        """Return the frequencies mixed with weight w of one category such that the t-value is t.

        With d = a - mean and e = mean - 1/2 this is (e + w d)^2 = t^2 (1 - w) (variance + w d^2), larger solution.
        """
        mean, deviation = _moments(values, self.frequencies)
        d, e = float(values[category]) - mean, mean - 0.5
        quadratic = [d * d * (1 + t * t), 2 * e * d + t * t * (deviation**2 - d * d), e * e - t * t * deviation**2]
        weight = float(np.max(np.roots(quadratic).real))
        mixed = (1 - weight) * self.frequencies
        mixed[category] += weight
        return mixed

    def _iterated(self, start: Floats, values: Floats, t: float) -> Floats:
        probabilities = start
        for _ in range(MAX_STEPS):
            mean, deviation = _moments(values, probabilities)
            last = probabilities
            g = values - 0.5 - t * ((values - mean) ** 2 / deviation + deviation) / 2
            probabilities = _tilted(self.frequencies, g)
            if np.max(np.abs(probabilities - last)) < TOLERANCE:
                break
        return probabilities


def _tilted(frequencies: Floats, g: Floats) -> Floats:
    """Return the most likely probabilities with sum p_i g_i = 0: p_i = f_i / (1 + x g_i) for a suitable x.

    The sum decreases in x. At the solution p_i <= 1, i.e. 1 + x g_i >= f_i; half of that brackets x safely.
    """
    terms = list(zip(g.tolist(), frequencies.tolist(), strict=True))  # few, so floats are faster than arrays
    (lowest, at_lowest), (highest, at_highest) = min(terms), max(terms)
    x = root(
        lambda x: sum(f * v / (1 + x * v) for v, f in terms),
        (at_highest / 2 - 1) / highest,
        (at_lowest / 2 - 1) / lowest,
        absolute=1e-14,
        relative=1e-14,
    )
    return frequencies / (1 + x * g)


def _moments(values: Floats, probabilities: Floats) -> tuple[float, float]:
    mean = float(probabilities @ values)
    return mean, math.sqrt(float(probabilities @ (values - mean) ** 2))
