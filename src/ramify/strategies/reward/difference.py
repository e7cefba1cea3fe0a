"""What counts is the lead over the other player: CadiaPlayer's goals in games of two."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from ramify.contract.game import Game
from ramify.core.kernels.compiling import Kernel, kernel
from ramify.core.kernels.pointers import array, record
from ramify.core.search.episode import EPISODE
from ramify.strategies.base import BoundStrategy, Reward


def difference(_block: int, episode_: int) -> int:
    """Half of the lead, and 1/2."""
    scores = array(record(episode_, EPISODE).scores, 2, np.float64)
    lead = 0.5 * (scores[0] - scores[1])
    scores[0] = 0.5 + lead
    scores[1] = 0.5 - lead
    return 0


@cache
def compiled() -> Kernel:
    """That function as a kernel."""
    made: Kernel = kernel(difference)
    return made


@dataclass(frozen=True)
class Difference(Reward):
    """(own - other + 1) / 2 in games of two players, where goals need not add up; elsewhere nothing changes.

    CadiaPlayer does so: what the other one gets is lost.
    """

    batchable = True

    def bind(self, game: Game) -> BoundStrategy | None:
        """The kernel above."""
        return BoundStrategy(compiled()) if game.players == 2 else None
