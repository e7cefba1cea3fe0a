"""Every move is credited with what its player got."""

from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from ramify.strategies.base import Updates


@dataclass(frozen=True)
class TrueUpdates(Updates):
    """Every move is credited with what its player got.

    ``weighted``: a move counts 2 where it was made at once, less the later it came, 1 at the end of the game
    (WeightRaveUpdates of Fuego).
    """

    weighted: bool = False

    def write_fields(self, block: npt.NDArray[Any]) -> None:
        """No error model."""
        block["weighted"] = self.weighted
