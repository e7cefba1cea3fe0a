"""The child of most visits: Chaslot et al. 2008."""

from dataclasses import dataclass

from ramify.contract.python_rules import PythonGenerator
from ramify.strategies.base import Floats, Recommendation, best


@dataclass(frozen=True)
class Robust(Recommendation):
    """The child of most visits; ties by value."""

    returns_most_visited = True

    def choose(self, visits: Floats, values: Floats, rng: PythonGenerator) -> int:
        return best(rng, visits, values)
