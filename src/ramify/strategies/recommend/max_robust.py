"""The child of most visits and highest value: Chaslot et al. 2008, after Coulom 2006."""

from dataclasses import dataclass

from ramify.contract.python_rules import PythonGenerator
from ramify.strategies.base import Floats, Recommendation, best


@dataclass(frozen=True)
class MaxRobust(Recommendation):
    """The child that has both; while there is none the search goes on, for at most ``limit`` times its budget more."""

    limit: float = 1.0

    def choose(self, visits: Floats, values: Floats, rng: PythonGenerator) -> int:
        """The index of the child to return; the most visited, where the limit ran out."""
        return best(rng, visits, values)

    def settled(self, visits: Floats, values: Floats) -> bool:
        """Whether one child has most visits and highest value."""
        return bool(((visits == visits.max()) & (values == values.max())).any())

    @property
    def extra_budget(self) -> float:
        """That limit."""
        return self.limit
