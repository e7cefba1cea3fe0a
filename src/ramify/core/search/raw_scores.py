"""Saves the game's scores before the reward changes them, for policies that use ``raw`` and playouts that learn."""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import kernel
from ramify.core.kernels.pointers import call, copy_bytes, record
from ramify.core.search.episode import EPISODE

RAW_SCORES = np.dtype(
    [
        ("players", np.int64),
        ("kept", np.int64),  # address: one score per player
        ("kernel", np.int64),  # of the reward
        ("block", np.int64),
    ]
)


def save_raw_then_reward(block_, episode_):
    block = record(block_, RAW_SCORES)
    copy_bytes(block.kept, record(episode_, EPISODE).scores, 8 * block.players)
    return call(block.kernel, (block.block, episode_))


@cache
def raw_scores_kernel():
    """The kernel that replaces the reward in the plan."""
    return kernel(save_raw_then_reward)
