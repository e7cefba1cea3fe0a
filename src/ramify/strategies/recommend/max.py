"""The child of highest value: Chaslot et al. 2008."""

from dataclasses import dataclass

from ramify.contract.python_rules import PythonGenerator
from ramify.strategies.base import Floats, Recommendation, best


@dataclass(frozen=True)
class Max(Recommendation):
    """The child of highest value; ties by visits."""

    def choose(self, visits: Floats, values: Floats, rng: PythonGenerator) -> int:
        return best(rng, values, visits)
