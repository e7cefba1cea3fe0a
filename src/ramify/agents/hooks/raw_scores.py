"""A reward that leaves the game's own scores to be seen, for policies that ask for them."""

import numpy as np

from ramify.core.kernels.pointers import address
from ramify.core.search.raw_scores import RAW_SCORES, raw_scores_kernel
from ramify.strategies.base import BoundStrategy
from ramify.strategies.policy.selectors import Selectors


class RawScores:
    """Stands in for a reward in the plan of a search; others have the reward itself, and keep nothing."""

    def __init__(self, reward: BoundStrategy, players: int) -> None:
        self.kept = np.zeros(players)
        inner = 0 if reward.block is None else address(reward.block)
        block = np.array([(players, address(self.kept), reward.kernel.address, inner)], RAW_SCORES)
        self.fitted = BoundStrategy(raw_scores_kernel(), block)


def raw_scores_if_needed(choosers: Selectors, reward: BoundStrategy | None, players: int) -> RawScores | None:
    """Somebody who keeps the game's own scores, if a policy asks for them and a reward changes them."""
    return RawScores(reward, players) if choosers.raw and reward else None
