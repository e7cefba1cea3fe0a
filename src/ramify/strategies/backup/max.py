"""The maximum of the children."""

from dataclasses import dataclass

import numpy as np

from ramify.contract.game import Game
from ramify.strategies.base import Backup, BoundBackup
from ramify.strategies.node_values import check_one_score
from ramify.strategies.power_backup import BLOCK, compiled


@dataclass(frozen=True)
class Max(Backup):
    """V = max q_i over the children that were visited: the operator that Coulom 2006 compares the mean with.

    It trusts every child alike, however few its visits, and so overestimates. Outcomes of chance have the mean.
    """

    columns = ("ended",)

    def bind(self, game: Game) -> BoundBackup:
        """The limit of power means."""
        check_one_score(game, self.title())
        return BoundBackup(np.array([(np.inf, 0)], BLOCK), on_simulation=compiled())
