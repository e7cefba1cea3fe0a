"""Proven bounds: combine the bounds of several trees, and find the moves that can still be chosen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class Bounds(NamedTuple):
    """Proven lower and upper bounds of a player's score, one entry per node."""

    lower: Floats
    upper: Floats

    def intersect(self, other: Bounds) -> Bounds:
        """Combine the bounds of two trees. Both are valid, so the tighter bound is."""
        return Bounds(np.maximum(self.lower, other.lower), np.minimum(self.upper, other.upper))

    def clamp(self, values: Floats) -> Floats:
        """Clamp means to the bounds. Means with trivial bounds stay as they are: rewards may lie outside [0, 1]."""
        raised = np.where(self.lower > 0.0, np.maximum(values, self.lower), values)
        lowered = np.where(self.upper < 1.0, np.minimum(raised, self.upper), raised)
        return np.where(self.lower == self.upper, self.lower, lowered)

    def contenders(self, values: Floats) -> npt.NDArray[np.intp]:
        """Return the indices of the moves that can be chosen; ``values`` are clamped.

        A move is excluded if another move is proven to be at least as good, or if its mean is below the proven score
        of another move.
        """
        sure = self.lower.max()
        known = self.lower == sure
        among = self.upper > sure
        if not (known & among).any():
            among |= known
        if sure > 0.0:
            among &= values >= sure
        return np.flatnonzero(among)
