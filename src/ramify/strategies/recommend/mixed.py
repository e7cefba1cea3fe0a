"""A move drawn from the average strategy: Hart and Mas-Colell 2000; in trees Lanctot, Lisý and Winands 2013."""

from dataclasses import dataclass

import numpy as np

from ramify.contract.rules import PythonGenerator
from ramify.strategies.kinds import Floats, Recommendation


@dataclass(frozen=True)
class Mixed(Recommendation):
    """A move drawn by the average strategy that the policy at the root keeps; by visits where it keeps none.

    Only the average of what ``exp3`` and ``regret_matching`` play comes near an equilibrium, no single move of it.
    """

    mixes = True

    def choose(self, visits: Floats, values: Floats, rng: PythonGenerator) -> int:
        """The index of the child to return."""
        del values
        total = visits.sum()
        shares = visits / total if total > 0.0 else np.full(len(visits), 1.0 / len(visits))
        return int(rng.outcome([(k, float(share)) for k, share in enumerate(shares)]))
