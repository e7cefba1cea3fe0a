"""The column of move classes, used by several hooks."""

import numpy as np

from ramify.core.kernels.compiling import jit
from ramify.core.kernels.pointers import array, call


@jit
def write_classes(episode, classify, classes, out_, count):
    """Write the classes of new children by ``classify`` (0: a move is its own class). Moves are in ``episode.moves``.

    A class out of range becomes 0. Return 1 + the last such move, or 0.
    """
    moves = array(episode.moves, count, np.int64)
    out = array(out_, count, np.int64)
    if classify:
        call(classify, (episode.rules, episode.state, episode.moves, count, out_))
    else:
        for k in range(count):
            out[k] = moves[k]
    wrong = 0
    for k in range(count):
        if out[k] < 0 or out[k] >= classes:
            wrong = moves[k] + 1
            out[k] = 0
    return wrong
