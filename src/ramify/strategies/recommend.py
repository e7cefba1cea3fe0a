"""Recommendation: which move to return when the search ends (Chaslot et al. 2008 name the four).

Each takes the visits and the mean values of the root's children, values of unvisited ones being minus infinity, and
gives the index of one child. Equal children are decided by visits, then value, then order of generation.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def best(*keys: Floats) -> int:
    """The index of the largest first key; ties are decided by the next key, then by the lower index."""
    return int(np.lexsort((-np.arange(len(keys[0])), *reversed(keys)))[-1])


@dataclass(frozen=True)
class Max:
    """The child of highest value."""

    def choose(self, visits: Floats, values: Floats) -> int:
        """The index of the child to return."""
        return best(values, visits)


@dataclass(frozen=True)
class Robust:
    """The child of most visits."""

    def choose(self, visits: Floats, values: Floats) -> int:
        """The index of the child to return."""
        return best(visits, values)


@dataclass(frozen=True)
class MaxRobust:
    """The child that has both; while there is none the search goes on, for at most ``limit`` times its budget more."""

    limit: float = 1.0

    def choose(self, visits: Floats, values: Floats) -> int:
        """The index of the child to return; the most visited, where the limit ran out."""
        return best(visits, values)

    def agreed(self, visits: Floats, values: Floats) -> bool:
        """Whether one child has most visits and highest value."""
        return bool(visits[best(values, visits)] == visits.max())


@dataclass(frozen=True)
class Secure:
    """The child of highest lower bound ``value - a / sqrt(visits)``.

    Chaslot et al. write ``v + A / sqrt(n)`` with A = 4; a lower bound takes the minus sign, and their values in
    [-1, 1] are twice as wide as ours, hence a = 2.
    """

    a: float = 2.0

    def choose(self, visits: Floats, values: Floats) -> int:
        """The index of the child to return."""
        return best(values - self.a / np.sqrt(np.maximum(visits, 1.0)), visits)


RECOMMENDATIONS = {"max": Max, "robust": Robust, "max_robust": MaxRobust, "secure": Secure}
