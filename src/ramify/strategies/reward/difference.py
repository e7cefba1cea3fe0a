"""The lead over the other player: CadiaPlayer's goals in two-player games."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from ramify.contract.game import Game
from ramify.core.kernels.compiling import Kernel, kernel
from ramify.core.kernels.pointers import array, record
from ramify.core.search.episode import EPISODE
from ramify.strategies.base import BoundStrategy, Reward


def difference(_block: int, episode_: int) -> int:
    """Set each score to 1/2 plus half of the lead."""
    scores = array(record(episode_, EPISODE).scores, 2, np.float64)
    lead = 0.5 * (scores[0] - scores[1])
    scores[0] = 0.5 + lead
    scores[1] = 0.5 - lead
    return 0


@cache
def compiled() -> Kernel:
    made: Kernel = kernel(difference)
    return made


@dataclass(frozen=True)
class Difference(Reward):
    """(own - other + 1) / 2 in two-player games, whose goals need not add up to 1; no change in other games.

    As in CadiaPlayer: the opponent's points count against the player.
    """

    batchable = True

    def bind(self, game: Game) -> BoundStrategy | None:
        return BoundStrategy(compiled()) if game.players == 2 else None
