"""A bonus for the margin of a win: Fuego's score bonus, studied by Tom 2010, section 5.5."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from ramify.contract.game import Game
from ramify.core.kernels.compiling import Kernel, kernel
from ramify.core.kernels.pointers import array, call, record
from ramify.core.search.episode import EPISODE
from ramify.errors import RamifyError
from ramify.strategies.base import BoundStrategy, Reward

BLOCK = np.dtype(
    [
        ("gamma", np.float64),
        ("lowest", np.float64),
        ("highest", np.float64),
        ("margin", np.int64),  # the game's kernel (rules, state, out)
        ("out", np.float64),  # its output
    ]
)
OUT_AT = BLOCK.fields["out"][1] if BLOCK.fields else 0  # bytes into the block


def score_bonus(block_: int, episode_: int) -> int:
    """Map losses to [0, gamma] and wins to [1 - gamma, 1], linear in the margin. Draws do not change."""
    block = record(block_, BLOCK)
    episode = record(episode_, EPISODE)
    if episode.cut:
        return 0
    scores = array(episode.scores, 2, np.float64)
    call(block.margin, (episode.rules, episode.state, block_ + OUT_AT))
    if scores[0] > 0.5:
        share = min(max(block.out / block.highest, 0.0), 1.0)
        scores[0] = 1.0 - block.gamma * (1.0 - share)
    elif scores[0] < 0.5:
        share = min(max(block.out / block.lowest, 0.0), 1.0)
        scores[0] = block.gamma * (1.0 - share)
    scores[1] = 1.0 - scores[0]
    return 0


@cache
def compiled() -> Kernel:
    made: Kernel = kernel(score_bonus)
    return made


@dataclass(frozen=True)
class ScoreBonus(Reward):
    """Losses in [0, gamma] and wins in [1 - gamma, 1], linear in the game's margin (Fuego; Tom 2010, section 5.5)."""

    needs = ("margin",)
    gamma: float = 0.02

    def __post_init__(self) -> None:
        if not 0.0 <= self.gamma <= 0.5:
            raise RamifyError(f"'gamma' must be from 0 to 0.5, so that a win stays above a loss, not {self.gamma}")

    def bind(self, game: Game) -> BoundStrategy:
        margin = game.kernel("margin")
        low, high = game.margins()
        if margin is None or game.players != 2 or not low < 0.0 < high:
            raise RamifyError(
                f"reward=score_bonus needs two players and margins of both signs, which {game.name} does not have:"
                " use reward=score"
            )
        return BoundStrategy(compiled(), np.array([(self.gamma, low, high, margin.address, 0.0)], BLOCK))
