"""A sigmoid of the margin instead of the result: Shibahara and Kotani 2008."""

from dataclasses import dataclass
from functools import cache
from math import exp

import numpy as np

from ramify.contract.game import Game
from ramify.core.kernels.compiling import Kernel, kernel
from ramify.core.kernels.pointers import array, call, record
from ramify.core.search.episode import EPISODE
from ramify.errors import RamifyError
from ramify.strategies.base import BoundStrategy, Reward
from ramify.strategies.constants import Positive

MAX_EXPONENT = 40.0  # beyond this the sigmoid is 0 or 1 in double precision, and exp() could overflow

BLOCK = np.dtype(
    [
        ("k", np.float64),
        ("margin", np.int64),  # the game's kernel (rules, state, out)
        ("out", np.float64),  # its output
    ]
)
OUT_AT: int = BLOCK.fields["out"][1] if BLOCK.fields else 0  # bytes into the block


def sigmoid(block_: int, episode_: int) -> int:
    """Score 1 / (1 + exp(-k margin)) for the first player, and 1 minus that for the second."""
    block = record(block_, BLOCK)
    episode = record(episode_, EPISODE)
    if episode.cut:
        return 0
    call(block.margin, (episode.rules, episode.state, block_ + OUT_AT))
    scores = array(episode.scores, 2, np.float64)
    scores[0] = 1.0 / (1.0 + exp(-min(max(block.k * block.out, -MAX_EXPONENT), MAX_EXPONENT)))
    scores[1] = 1.0 - scores[0]
    return 0


@cache
def compiled() -> Kernel:
    made: Kernel = kernel(sigmoid)
    return made


@dataclass(frozen=True)
class Sigmoid(Reward):
    """1 / (1 + exp(-k x)), where x is the first player's margin: Shibahara and Kotani 2008.

    For large ``k`` only the result matters (1/2 for a margin of 0); for small ``k`` the reward is linear in the margin.
    ``k`` is per point of the margin, so tune it for each game; the default is ours. Cut playouts keep their score.
    """

    needs = ("margin",)
    k: Positive = 0.1

    def bind(self, game: Game) -> BoundStrategy:
        margin = game.kernel("margin")
        if margin is None or game.players != 2:
            raise RamifyError(
                f"reward=sigmoid needs two players and a margin, which {game.name} does not have: use reward=score"
            )
        return BoundStrategy(compiled(), np.array([(self.k, margin.address, 0.0)], BLOCK))
