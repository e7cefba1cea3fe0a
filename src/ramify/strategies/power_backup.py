"""Kernel of the backups ``power_mean`` and ``max``."""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import Kernel, jit, kernel
from ramify.core.kernels.pointers import array, record
from ramify.core.search.episode import EPISODE
from ramify.core.search.plan import DONE
from ramify.core.search.tree import CHANCE, MAX_PLAYERS, node_at
from ramify.strategies.node_values import child_at, children_of, holder_of, seen_by

BLOCK = np.dtype([("p", np.float64), ("ended", np.int64)])  # infinite p: the maximum


@jit
def value(nodes, node, holder, ended, p):
    """Return a node's value for its holder. ``ended``: summed rewards of the simulations that left the tree there."""
    player = holder_of(node)
    power = 1.0 if node.mover == CHANCE else p
    own = np.float64(node.visits)
    total = 0.0
    best = -np.inf
    for k in range(children_of(node)):
        child = child_at(nodes, node, k)
        if child.visits > 0:
            mean = max(child.total / child.visits, 0.0)
            own -= child.visits
            total += child.visits * mean**power
            best = max(best, mean)
    if best == -np.inf:
        return ended / node.visits
    if power == np.inf:
        return seen_by(best, holder, player)
    if own > 0.0:
        total += own * max(seen_by(ended / own, holder, player), 0.0) ** power
    return seen_by((total / node.visits) ** (1.0 / power), holder, player)


def back_up(block_, episode_):
    """Recompute the values of the path's nodes, from the leaf up."""
    block = record(block_, BLOCK)
    episode = record(episode_, EPISODE)
    path = array(episode.path, episode.depth + 1, np.int64)
    scores = array(episode.scores, MAX_PLAYERS, np.float64)
    for level in range(episode.depth, 0, -1):
        node = node_at(episode.nodes, path[level])
        holder = holder_of(node_at(episode.nodes, path[level - 1]))
        ended = array(block.ended + 8 * path[level], 1, np.float64)
        if level == episode.depth:
            ended[0] += scores[holder]
        node.total = node.visits * value(episode.nodes, node, holder, ended[0], block.p)
    return DONE


@cache
def compiled() -> Kernel:
    made: Kernel = kernel(back_up)
    return made
