"""Later results are worth less: CadiaPlayer's discount."""

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
    """Multiply every player's distance to ``towards`` by factor^plies, plies from the root to the end."""
    block = record(block_, BLOCK)
    episode = record(episode_, EPISODE)
    scores = array(episode.scores, block.players, np.float64)
    discounted = block.factor ** (episode.depth + episode.plies)
    for player in range(block.players):
        scores[player] = block.towards + (scores[player] - block.towards) * discounted
    return 0


@cache
def compiled() -> Kernel:
    made: Kernel = kernel(discount)
    return made


@dataclass(frozen=True)
class Discount(Reward):
    """Scores times factor^plies, plies from the root to the end: earlier wins are worth more (CadiaPlayer).

    The distance to ``towards`` is multiplied. With 0, a loss stays a loss whenever it comes; 0.5, a draw, corresponds
    to a factor on values in [-1, 1]. With ``single_player=false``, one-player games are not discounted.
    """

    batchable = True
    needs_exact_length = True
    factor: Fraction = 0.999
    towards: Probability = 0.0
    single_player: bool = True

    def bind(self, game: Game) -> BoundStrategy | None:
        if game.players == 1 and not self.single_player:
            return None
        return BoundStrategy(compiled(), np.array([(self.factor, self.towards, game.players)], BLOCK))
