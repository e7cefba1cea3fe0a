"""A move sampled from the average strategy: Hart and Mas-Colell 2000; in trees Lanctot, Lisý and Winands 2013."""

from dataclasses import dataclass

import numpy as np

from ramify.contract.python_rules import PythonGenerator
from ramify.strategies.base import Floats, Recommendation


@dataclass(frozen=True)
class Mixed(Recommendation):
    """A move sampled from the average strategy of the root's policy, or in proportion to visits if it keeps none.

    With ``exp3`` and ``regret_matching`` only the average strategy approaches an equilibrium, not any single move. The
    probability of a move is proportional to its share to the power of ``exponent``, the inverse of the temperature of
    Silver et al. 2017. An exponent of 0 samples uniformly from the visited moves; a large one returns the most visited.
    """

    uses_average_strategy = True
    exponent: float = 1.0

    def choose(self, visits: Floats, values: Floats, rng: PythonGenerator) -> int:
        del values
        weights = visits if self.exponent == 1.0 else self._sharpened(visits)
        total = weights.sum()
        shares = weights / total if total > 0.0 else np.full(len(weights), 1.0 / len(weights))
        return int(rng.outcome([(k, float(share)) for k, share in enumerate(shares)]))

    def _sharpened(self, visits: Floats) -> Floats:
        """Return powers of the visits, scaled to a maximum of 1. Unvisited moves get 0 with any exponent."""
        most = visits.max()
        weights: Floats = np.where(visits > 0.0, (visits / most if most > 0.0 else visits) ** self.exponent, 0.0)
        return weights
