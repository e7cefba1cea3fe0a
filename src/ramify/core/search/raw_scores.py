"""The game's own scores, kept from a reward that changes them, for policies that ask for ``raw``."""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import kernel
from ramify.core.kernels.pointers import call, copy_bytes, record
from ramify.core.search.episode import EPISODE

RAW_SCORES = np.dtype(
    [
        ("players", np.int64),
        ("kept", np.int64),  # address of one number a player
        ("kernel", np.int64),  # of the reward
        ("block", np.int64),
    ]
)


def save_raw_then_reward(block_, episode_):
    """Copy the scores, then let the reward change them."""
    block = record(block_, RAW_SCORES)
    copy_bytes(block.kept, record(episode_, EPISODE).scores, 8 * block.players)
    return call(block.kernel, (block.block, episode_))


@cache
def raw_scores_kernel():
    """The kernel that the loop calls in place of the reward."""
    return kernel(save_raw_then_reward)
