"""Choose by the means of moves (``core.playouts.average_table``): MAST, mostly the best one, or by Gibbs sampling."""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, record
from ramify.core.playouts.average_table import AVERAGES, explores, sampled
from ramify.core.playouts.context import SPOT, Chooser, bounded
from ramify.core.playouts.random_policy import evenly
from ramify.core.vector.rated_moves import best_by_row


@jit
def explore(block, spot):
    """Now and then."""
    return explores(record(block, AVERAGES), array(record(spot, SPOT).rng, 1, np.uint64))


@jit
def by_averages(block, spot_):
    """The place of the best move."""
    spot = record(spot_, SPOT)
    rng = array(spot.rng, 1, np.uint64)
    row = record(block, AVERAGES).means + 8 * spot.mover * spot.classes
    return best_by_row(rng, spot.kinds, spot.count, spot.classes, row, spot.values)


@jit
def by_weights(block, spot_):
    """A place by the weights of the moves."""
    spot = record(spot_, SPOT)
    kinds = array(spot.kinds, spot.count, np.int64)
    values = array(spot.values, spot.count, np.float64)
    own = array(record(block, AVERAGES).weights + 8 * spot.mover * spot.classes, spot.classes, np.float64)
    for k in range(spot.count):
        values[k] = own[bounded(spot, kinds[k])]
    return sampled(spot)


def whole(block, spot):
    """The first one, for playouts around it."""
    return evenly(block, spot) if explore(block, spot) else by_averages(block, spot)


BY_AVERAGES = Chooser(by_averages, explore)
BY_WEIGHTS = Chooser(by_weights)


@cache
def choosing_kernel():
    """``whole``."""
    return kernel(whole)


@cache
def sampling_kernel():
    """``by_weights``."""
    return kernel(by_weights)
