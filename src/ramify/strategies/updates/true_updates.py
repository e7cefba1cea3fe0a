"""Credit every move with its player's reward."""

from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from ramify.strategies.base import Updates


@dataclass(frozen=True)
class TrueUpdates(Updates):
    """Credit every move with its player's reward.

    ``weighted``: the weight of a move falls from 2 (played immediately) to 1 (at the end of the game), as in Fuego's
    WeightRaveUpdates.
    """

    weighted: bool = False

    def write_fields(self, block: npt.NDArray[Any]) -> None:
        block["weighted"] = self.weighted
