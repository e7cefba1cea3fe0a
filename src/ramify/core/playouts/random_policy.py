"""Random moves: uniform, or drawn by the game's ``heuristic`` or ``published_heuristic``."""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, call, record
from ramify.core.numbers.rng import below
from ramify.core.playouts.context import PLAYOUT_CONTEXT, PlayoutPolicy

HEURISTIC_BLOCK = np.dtype([("draw", np.int64)])  # the game's kernel (rules, state, rng)


@jit
def uniform(_block, context_):
    context = record(context_, PLAYOUT_CONTEXT)
    return below(array(context.rng, 1, np.uint64), context.count)


@jit
def game_heuristic(block_, context_):
    """Return the index of the move drawn by the game; a uniform index if that move is not in the list."""
    context = record(context_, PLAYOUT_CONTEXT)
    drawn = call(record(block_, HEURISTIC_BLOCK).draw, (context.rules, context.state, context.rng))
    moves = array(context.moves, context.count, np.int64)
    for k in range(context.count):
        if moves[k] == drawn:
            return k
    return below(array(context.rng, 1, np.uint64), context.count)


UNIFORM = PlayoutPolicy(uniform)
GAME_HEURISTIC = PlayoutPolicy(game_heuristic)


@cache
def uniform_kernel():
    return kernel(uniform)


@cache
def game_heuristic_kernel():
    return kernel(game_heuristic)
