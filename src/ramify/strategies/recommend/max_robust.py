"""The child with both most visits and highest value: Chaslot et al. 2008, after Coulom 2006."""

from dataclasses import dataclass

from ramify.contract.python_rules import PythonGenerator
from ramify.strategies.base import Floats, Recommendation, best


@dataclass(frozen=True)
class MaxRobust(Recommendation):
    """The child with both most visits and highest value.

    While no child has both, the search continues, for at most ``limit`` times its budget.
    """

    limit: float = 1.0

    def choose(self, visits: Floats, values: Floats, rng: PythonGenerator) -> int:
        """Return the most visited child, which also has the highest value unless ``limit`` has run out."""
        return best(rng, visits, values)

    def settled(self, visits: Floats, values: Floats) -> bool:
        return bool(((visits == visits.max()) & (values == values.max())).any())

    @property
    def extra_budget(self) -> float:
        return self.limit
