"""Mean reward of all simulations through a node."""

from dataclasses import dataclass
from typing import ClassVar

from ramify.contract.game import Game
from ramify.strategies.base import Backup, BoundBackup


@dataclass(frozen=True)
class Mean(Backup):
    """The value of a node is the mean reward of its simulations, which the search loop computes anyway."""

    batchable = True
    replaces_means: ClassVar[bool] = False

    def bind(self, game: Game) -> BoundBackup | None:
        del game
        return None
