"""A sigmoid of the margin in place of the result: Shibahara and Kotani 2008."""

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

MAX_EXPONENT = 40.0  # beyond it the sigmoid is 0 or 1 to the last bit, and further on the exponential overflows

BLOCK = np.dtype(
    [
        ("k", np.float64),
        ("margin", np.int64),  # the game's kernel (rules, state, out)
        ("out", np.float64),  # what it writes
    ]
)
OUT_AT: int = BLOCK.fields["out"][1] if BLOCK.fields else 0  # bytes into the block


def sigmoid(block_: int, episode_: int) -> int:
    """1 / (1 + exp(-k margin)) for the first player, the rest of 1 for the second."""
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
    """That function as a kernel."""
    made: Kernel = kernel(sigmoid)
    return made


@dataclass(frozen=True)
class Sigmoid(Reward):
    """1 / (1 + exp(-k x)), x the game's margin of the first player: Shibahara and Kotani 2008.

    A large ``k`` is the result alone, with 1/2 for a margin of 0; a small one approaches the margin itself. ``k`` is
    per point of the game's margin, so each game has its own; the default is ours. Cut playouts keep their value.
    """

    needs = ("margin",)
    k: Positive = 0.1

    def bind(self, game: Game) -> BoundStrategy:
        """The kernel above, with the game's margin."""
        margin = game.kernel("margin")
        if margin is None or game.players != 2:
            raise RamifyError(f"reward=sigmoid is for games of two players with a margin, not {game.name}")
        return BoundStrategy(compiled(), np.array([(self.k, margin.address, 0.0)], BLOCK))
