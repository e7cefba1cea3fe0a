"""An ``on_expand`` hook that writes the priors of new children, for policies that use them."""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, call, record
from ramify.core.search.episode import EPISODE
from ramify.core.search.tree import node_at

PRIORS = np.dtype(
    [
        ("priors", np.int64),  # the game's (rules, state, moves, count, out), or 0: uniform
        ("out", np.int64),  # buffer: one number per move
        ("sorts", np.int64),  # whether children are sorted by prior, largest first
    ]
)


def write_priors(block_, episode_, first, count):
    """Write the prior of each child: the game's, normalized to sum to 1, or uniform ones if it has none."""
    block = record(block_, PRIORS)
    episode = record(episode_, EPISODE)
    total = 0.0
    priors = array(block.out, count, np.float64)
    if block.priors:
        call(block.priors, (episode.rules, episode.state, episode.moves, count, block.out))
        for k in range(count):
            total += max(priors[k], 0.0)
    for k in range(count):
        node_at(episode.nodes, first + k).chance = max(priors[k], 0.0) / total if total > 0.0 else 1.0 / count
    if block.sorts:
        sort_children(episode, first, count)
    return 0


@jit
def sort_children(episode, first, count):
    """Sort new children and the move buffer by prior, largest first.

    The sort is stable. New children have no other statistics to move.
    """
    moves = array(episode.moves, count, np.int64)
    for k in range(1, count):
        chance, move = node_at(episode.nodes, first + k).chance, moves[k]
        at = k
        while at > 0 and node_at(episode.nodes, first + at - 1).chance < chance:
            node_at(episode.nodes, first + at).chance = node_at(episode.nodes, first + at - 1).chance
            node_at(episode.nodes, first + at).move = moves[at - 1]
            moves[at] = moves[at - 1]
            at -= 1
        node_at(episode.nodes, first + at).chance = chance
        node_at(episode.nodes, first + at).move = move
        moves[at] = move


@cache
def priors_kernel():
    return kernel(write_priors)
