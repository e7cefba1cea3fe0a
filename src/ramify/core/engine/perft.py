"""Perft: how many sequences of moves a game has, depth by depth. The first truth about rules."""

import numpy as np

from ramify.core.engine.search import copy_state, list_moves
from ramify.core.kernels.compiling import entry, jit
from ramify.core.kernels.pointers import array, call


@jit
def generate(game, state, moves, probabilities):
    """The moves or outcomes of a state; their number."""
    return list_moves(game, state, call(game.mover, (game.rules, state)), moves, probabilities)


@entry
def perft(game, states, moves, probabilities, depth, counts):
    """Count the sequences of exactly 1, 2, ... ``depth`` plies into ``counts``; outcomes of chance are plies.

    ``states`` has room for depth + 1 states, the first being the start; ``moves`` for depth + 1 times max_children.
    """
    result = array(counts, depth + 1, np.int64)
    buffer = array(moves, (depth + 1) * game.max_children, np.int64)
    left = np.zeros(depth + 1, np.int64)  # moves of each level that are still to be tried
    level = 0
    left[0] = generate(game, states, moves, probabilities)
    while level >= 0:
        if left[level] == 0:
            level -= 1
            continue
        left[level] -= 1
        result[level + 1] += 1
        if level + 1 == depth:
            continue
        here = states + level * game.state_bytes
        below = here + game.state_bytes
        copy_state(game, below, here)
        call(game.play, (game.rules, below, buffer[level * game.max_children + left[level]]))
        level += 1
        left[level] = generate(game, below, moves + level * game.max_children * 8, probabilities)
