"""Value of the best child."""

from dataclasses import dataclass

import numpy as np

from ramify.contract.game import Game
from ramify.strategies.base import Backup, BoundBackup
from ramify.strategies.node_values import check_one_score
from ramify.strategies.power_backup import BLOCK, compiled


@dataclass(frozen=True)
class Max(Backup):
    """V = max q_i over the visited children: the operator that Coulom 2006 compares with the mean.

    It trusts every child equally, however few its visits, and so overestimates. Chance nodes use the mean.
    """

    columns = ("ended",)

    def bind(self, game: Game) -> BoundBackup:
        check_one_score(game, self.title())
        return BoundBackup(np.array([(np.inf, 0)], BLOCK), on_simulation=compiled())
