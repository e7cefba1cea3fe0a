"""A move drawn from the average strategy: Hart and Mas-Colell 2000; in trees Lanctot, Lisý and Winands 2013."""

from dataclasses import dataclass

import numpy as np

from ramify.contract.python_rules import PythonGenerator
from ramify.strategies.base import Floats, Recommendation


@dataclass(frozen=True)
class Mixed(Recommendation):
    """A move drawn by the average strategy that the policy at the root keeps; by visits where it keeps none.

    Only the average of what ``exp3`` and ``regret_matching`` play comes near an equilibrium, no single move of it. A
    move is as likely as its share to the power of ``exponent``, the inverse of the temperature of Silver et al. 2017: 0
    draws uniformly among the moves visited, a large one returns the most visited move.
    """

    uses_average_strategy = True
    exponent: float = 1.0

    def choose(self, visits: Floats, values: Floats, rng: PythonGenerator) -> int:
        """The index of the child to return."""
        del values
        weights = visits if self.exponent == 1.0 else self._sharpened(visits)
        total = weights.sum()
        shares = weights / total if total > 0.0 else np.full(len(weights), 1.0 / len(weights))
        return int(rng.outcome([(k, float(share)) for k, share in enumerate(shares)]))

    def _sharpened(self, visits: Floats) -> Floats:
        """Powers of the visits, the largest of them 1; a move never visited is not drawn with any exponent."""
        most = visits.max()
        weights: Floats = np.where(visits > 0.0, (visits / most if most > 0.0 else visits) ** self.exponent, 0.0)
        return weights
