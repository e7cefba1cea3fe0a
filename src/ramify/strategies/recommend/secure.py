"""The child of highest lower bound: Chaslot et al. 2008."""

from dataclasses import dataclass

import numpy as np

from ramify.contract.python_rules import PythonGenerator
from ramify.strategies.base import Floats, Recommendation, best


@dataclass(frozen=True)
class Secure(Recommendation):
    """The child of highest lower bound ``value - a / sqrt(visits)``.

    Chaslot et al. print ``v + A / sqrt(n)`` with A = 4. A lower bound needs the minus sign, and their values lie in
    [-1, 1], twice as wide as ours, hence a = 2.
    """

    a: float = 2.0

    def choose(self, visits: Floats, values: Floats, rng: PythonGenerator) -> int:
        return best(rng, values - self.a / np.sqrt(np.maximum(visits, 1.0)), visits)
