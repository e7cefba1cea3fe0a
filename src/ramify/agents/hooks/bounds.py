"""What proofs make of a choice: bounds of several trees, and the moves that are still to be considered."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class Bounds(NamedTuple):
    """The lowest and the highest score that a player can have, at each of some nodes."""

    lower: Floats
    upper: Floats

    def both(self, other: Bounds) -> Bounds:
        """What two trees know together: each is right, so the higher of the lower bounds is, and the lower upper."""
        return Bounds(np.maximum(self.lower, other.lower), np.minimum(self.upper, other.upper))

    def within(self, values: Floats) -> Floats:
        """Means, replaced by the bound that they violate. Where nothing is proven they stay, whatever the reward is."""
        raised = np.where(self.lower > 0.0, np.maximum(values, self.lower), values)
        lowered = np.where(self.upper < 1.0, np.minimum(raised, self.upper), raised)
        return np.where(self.lower == self.upper, self.lower, lowered)

    def contenders(self, values: Floats) -> npt.NDArray[np.intp]:
        """The places of the moves that may be chosen; ``values`` lie within the bounds.

        A move is out if another one is proven to be at least as good, whatever either turns out to be, and also if its
        mean is below what another one is proven to bring.
        """
        sure = self.lower.max()
        known = self.lower == sure
        among = self.upper > sure
        if not (known & among).any():
            among |= known
        if sure > 0.0:
            among &= values >= sure
        return np.flatnonzero(among)
