"""Raw scores: a wrapper around the reward that stores the game's scores for policies and playouts that read them."""

import numpy as np

from ramify.core.kernels.pointers import address
from ramify.core.search.raw_scores import RAW_SCORES, raw_scores_kernel
from ramify.strategies.base import BoundStrategy
from ramify.strategies.policy.selectors import Selectors


class RawScores:
    """Replaces the reward in the plan: copies the scores, then calls the reward."""

    def __init__(self, reward: BoundStrategy, players: int) -> None:
        self.scores = np.zeros(players)
        inner = 0 if reward.block is None else address(reward.block)
        block = np.array([(players, address(self.scores), reward.kernel.address, inner)], RAW_SCORES)
        self.bound = BoundStrategy(raw_scores_kernel(), block)


def raw_scores_if_needed(
    selectors: Selectors, playout: BoundStrategy, reward: BoundStrategy | None, players: int
) -> RawScores | None:
    """Return a RawScores if a policy or the playout reads raw scores and a reward changes them, else None."""
    tables = playout.learning.tables if playout.learning else ()
    needed = selectors.raw or any(table.learns_result for table in tables)
    return RawScores(reward, players) if needed and reward else None
