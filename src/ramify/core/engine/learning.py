"""An observer: policies that learn from a simulation.

A policy learns through two kernels, either of which may be missing (address 0):

* ``update`` is called for every node on the path where the policy chose, the last one first;
* ``after`` is called once, for the root, at the end of every simulation.

Both are ``(children, node, live, visits, arm, leaf, mover, scores, its block)``. A policy that draws its arm itself
learns from its own draws only; one that gives indices learns from all simulations, whoever chose.
"""

from functools import cache

import numpy as np

from ramify.core.engine.episode import EPISODE
from ramify.core.engine.tree import NODE_BYTES, ROOT, node_at
from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, call, record

LEARNING = np.dtype(
    [
        ("root_update", np.int64),
        ("root_after", np.int64),
        ("root_block", np.int64),
        ("root_draws", np.int64),  # whether that policy draws its arm itself
        ("update", np.int64),
        ("after", np.int64),
        ("block", np.int64),
        ("draws", np.int64),
    ]
)


def learn(block_, episode_):
    """Tell the policies the outcome of a simulation."""
    block = record(block_, LEARNING)
    episode = record(episode_, EPISODE)
    path = array(episode.path, episode.depth + 1, np.int64)
    for level in range(episode.depth - 1, -1, -1):
        hook = block.update if level else block.root_update
        if hook == 0 or node_at(episode.nodes, path[level]).mover < 0:
            continue
        if level < episode.chosen and (block.draws if level else block.root_draws):
            continue
        deeper = level + 1 < episode.depth and node_at(episode.nodes, path[level + 1]).mover >= 0
        leaf = not (deeper and hook == block.update)
        hear(hook, episode, path[level], path[level + 1], leaf, block.block if level else block.root_block)
    if block.root_after:
        hear(block.root_after, episode, ROOT, path[1], True, block.root_block)
    if block.after:
        hear(block.after, episode, ROOT, path[1], True, block.block)
    return 0


@jit
def hear(hook, episode, node, taken, leaf, block):
    """Call one kernel for one node; ``leaf`` says that the policy has not learnt below the arm taken."""
    here = node_at(episode.nodes, node)
    first = np.int64(here.first)
    position = here if node == ROOT or not episode.shared else node_at(episode.nodes, first - 1)
    arguments = (
        episode.nodes + first * NODE_BYTES,
        np.int64(node),
        np.int64(here.live),
        np.int64(position.visits),
        np.int64(taken - first),
        np.int64(leaf),
        np.int64(here.mover),
        episode.scores,
        block,
    )
    call(hook, arguments)


@cache
def learning_kernel():
    """The kernel that the loop calls."""
    return kernel(learn)
