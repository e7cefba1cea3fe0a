"""Move classes of tree moves, and all moves of a simulation, for policies that use them.

``classify`` is an ``on_expand`` hook: it writes player * classes + class of every new child to a column.
``record_moves`` is an ``on_simulation`` hook: it writes the moves of a simulation from the root to the end in the same
form, without chance outcomes. It must run before the policies' learning hook.
"""

from functools import cache

import numpy as np

from ramify.core.hooks.class_column import write_classes
from ramify.core.kernels.compiling import kernel
from ramify.core.kernels.pointers import array, call, record
from ramify.core.search.episode import EPISODE
from ramify.core.search.plan import DONE
from ramify.core.search.tree import node_at

MOVE_CLASSES = np.dtype(
    [
        ("mover", np.int64),  # kernels of the game: (rules, state) -> player
        ("classify", np.int64),  # (rules, state, moves, count, out), or 0: a move is its own class
        ("classes", np.int64),  # per player
        ("class_of", np.int64),  # the column
        ("made", np.int64),  # address: number of moves of the simulation, followed by the moves
        ("out_of_range", np.int64),  # 1 + a move whose class is not below `classes`; 0: none
    ]
)


def classify(block_, episode_, first, count):
    """Write the classes of new children. Their moves are in ``episode.moves``."""
    block = record(block_, MOVE_CLASSES)
    episode = record(episode_, EPISODE)
    wrong = write_classes(episode, block.classify, block.classes, block.class_of + 8 * first, count)
    if wrong:
        block.out_of_range = wrong
    class_of = array(block.class_of + 8 * first, count, np.int64)
    start = call(block.mover, (episode.rules, episode.state)) * block.classes
    for k in range(count):
        class_of[k] += start
    return 0


def record_moves(block_, episode_):
    """Write the moves of a simulation: those of the path, then the playout's trace."""
    block = record(block_, MOVE_CLASSES)
    episode = record(episode_, EPISODE)
    path = array(episode.path, episode.depth + 1, np.int64)
    trace = array(episode.trace, episode.trace_length, np.int64)
    made = array(block.made, 1 + episode.depth + episode.trace_length, np.int64)
    length = 0
    for level in range(episode.depth):
        if node_at(episode.nodes, path[level]).mover >= 0:
            length += 1
            made[length] = array(block.class_of + 8 * path[level + 1], 1, np.int64)[0]
    for ply in range(episode.trace_length):
        length += 1
        made[length] = trace[ply]
    made[0] = length
    return DONE


@cache
def classify_kernel():
    return kernel(classify)


@cache
def record_moves_kernel():
    return kernel(record_moves)
