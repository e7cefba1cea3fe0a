"""A result is worth less the later it comes: CadiaPlayer's discount."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from ramify.contract.game import Game
from ramify.core.kernels.compiling import Kernel, kernel
from ramify.core.kernels.pointers import array, record
from ramify.core.search.episode import EPISODE
from ramify.strategies.base import BoundStrategy, Reward
from ramify.strategies.constants import Fraction, Probability

BLOCK = np.dtype([("factor", np.float64), ("towards", np.float64), ("players", np.int64)])


def discount(block_: int, episode_: int) -> int:
    """Every player's score shrinks by the factor for each ply from the root to the end of the simulation."""
    block = record(block_, BLOCK)
    episode = record(episode_, EPISODE)
    scores = array(episode.scores, block.players, np.float64)
    worth = block.factor ** (episode.depth + episode.plies)
    for player in range(block.players):
        scores[player] = block.towards + (scores[player] - block.towards) * worth
    return 0


@cache
def compiled() -> Kernel:
    """That function as a kernel."""
    made: Kernel = kernel(discount)
    return made


@dataclass(frozen=True)
class Discount(Reward):
    """Scores times factor^plies, plies from the root to the end: sooner wins are worth more (CadiaPlayer).

    What shrinks is the distance to ``towards``: 0, so that a loss is one whenever it comes, or a draw, 0.5, which is
    what a factor on values in [-1, 1] means. With ``alone=false`` nothing shrinks where one plays alone.
    """

    batchable = True
    needs_exact_length = True
    factor: Fraction = 0.999
    towards: Probability = 0.0
    single_player: bool = True

    def bind(self, game: Game) -> BoundStrategy | None:
        """The kernel above."""
        if game.players == 1 and not self.single_player:
            return None
        return BoundStrategy(compiled(), np.array([(self.factor, self.towards, game.players)], BLOCK))
