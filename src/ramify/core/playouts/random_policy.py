"""Moves that are drawn: evenly, or by the game's own ``heuristic`` or ``published_heuristic``."""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, call, record
from ramify.core.numbers.rng import below
from ramify.core.playouts.context import PLAYOUT_CONTEXT, PlayoutPolicy

DRAWING = np.dtype([("draw", np.int64)])  # the game's kernel (rules, state, rng)


@jit
def uniform(_block, spot_):
    """Any place."""
    spot = record(spot_, PLAYOUT_CONTEXT)
    return below(array(spot.rng, 1, np.uint64), spot.count)


@jit
def game_heuristic(block_, spot_):
    """The place of the move that the game draws; any place where that move is not among those offered."""
    spot = record(spot_, PLAYOUT_CONTEXT)
    drawn = call(record(block_, DRAWING).draw, (spot.rules, spot.state, spot.rng))
    moves = array(spot.moves, spot.count, np.int64)
    for k in range(spot.count):
        if moves[k] == drawn:
            return k
    return below(array(spot.rng, 1, np.uint64), spot.count)


UNIFORM = PlayoutPolicy(uniform)
GAME_HEURISTIC = PlayoutPolicy(game_heuristic)


@cache
def uniform_kernel():
    """``evenly``."""
    return kernel(uniform)


@cache
def drawing_kernel():
    """``drawn``."""
    return kernel(game_heuristic)
