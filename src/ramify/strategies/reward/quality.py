"""The quality of the final position instead of the result: the control of Pepels et al. 2014, table 4, which loses."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from ramify.contract.game import Game
from ramify.core.kernels.compiling import Kernel, kernel
from ramify.core.kernels.pointers import array, call, record
from ramify.core.search.episode import EPISODE
from ramify.core.search.winner import winner_of
from ramify.strategies.base import BoundStrategy, Reward
from ramify.strategies.constants import NonNegative, Positive
from ramify.strategies.control_variates import sigmoid
from ramify.strategies.reward.bonus import Offset

BLOCK = np.dtype(
    [
        ("players", np.int64),
        ("centred", np.int64),
        ("k", np.float64),
        ("scale", np.float64),
        ("offset", np.float64),
        ("quality", np.int64),  # the game's kernel (rules, state, out)
        ("measured", np.float64),
    ]
)
MEASURED_AT: int = BLOCK.fields["measured"][1] if BLOCK.fields else 0  # bytes into the block


def quality_as_reward(block_: int, episode_: int) -> int:
    """Score 1/2 + c for the winner and 1/2 - c for all others; c = q / 2 or q - 1/2. No change without a winner."""
    block = record(block_, BLOCK)
    episode = record(episode_, EPISODE)
    scores = array(episode.scores, block.players, np.float64)
    winner = -1 if episode.cut else winner_of(scores, block.players)
    if winner < 0:
        return 0
    call(block.quality, (episode.rules, episode.state, block_ + MEASURED_AT))
    q = block.scale * block.measured + block.offset
    if block.k > 0.0:
        q = sigmoid(block.k * q, 0)
    c = q - 0.5 if block.centred else 0.5 * q
    for player in range(block.players):
        scores[player] = 0.5 + (c if player == winner else -c)
    return 0


@cache
def compiled() -> Kernel:
    made: Kernel = kernel(quality_as_reward)
    return made


@dataclass(frozen=True)
class Quality(Reward):
    """(1 + q) / 2 for the winner, (1 - q) / 2 for all others: on [-1, 1] a win is worth the quality q, a loss -q.

    q is ``scale`` times the game's ``quality``, plus ``offset``. ``k``: b(k q) instead of q (0: q itself), where
    b(x) = -1 + 2 / (1 + exp(-x)). ``centred``: q and 1 - q, so a win of low quality is worth less than a draw.
    """

    needs = ("quality",)
    centred: bool = False
    k: NonNegative = 0.0
    scale: Positive = 1.0
    offset: Offset = 0.0

    def bind(self, game: Game) -> BoundStrategy:
        quality = game.kernel("quality")
        address = quality.address if quality else 0
        settings = (game.players, self.centred, self.k, self.scale, self.offset, address, 0.0)
        return BoundStrategy(compiled(), np.array([settings], BLOCK))
