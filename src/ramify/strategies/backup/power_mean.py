"""Power mean of the children: between their mean and their maximum."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ramify.contract.game import Game
from ramify.strategies.base import Backup, BoundBackup
from ramify.strategies.constants import ValueRange
from ramify.strategies.node_values import check_one_score
from ramify.strategies.power_backup import BLOCK, compiled


@dataclass(frozen=True)
class PowerMean(Backup):
    """V = (sum of n_i / N q_i^p)^(1/p) over the children: Dam et al. 2019.

    q_i is the value of a child for the player to move, n_i its visits. Simulations that left the tree at the node
    itself count as one more child. p = 1 is the mean; large p approaches the maximum. Chance nodes use the mean.
    """

    columns = ("ended",)
    p: Annotated[float, ValueRange(1, open=False)] = 2.0

    def bind(self, game: Game) -> BoundBackup:
        check_one_score(game, self.title())
        return BoundBackup(np.array([(self.p, 0)], BLOCK), on_simulation=compiled())
