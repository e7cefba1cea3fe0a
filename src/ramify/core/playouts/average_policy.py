"""Choose by the means of moves (``core.playouts.average_table``): MAST, mostly the best one, or by Gibbs sampling."""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, record
from ramify.core.playouts.average_table import AVERAGES, sample_index, should_explore
from ramify.core.playouts.context import PLAYOUT_CONTEXT, PlayoutPolicy, clamp_class
from ramify.core.playouts.random_policy import uniform
from ramify.core.vector.rated_moves import best_by_row


@jit
def explore(block, spot):
    """Now and then."""
    return should_explore(record(block, AVERAGES), array(record(spot, PLAYOUT_CONTEXT).rng, 1, np.uint64))


@jit
def best_average(block, spot_):
    """The place of the best move."""
    spot = record(spot_, PLAYOUT_CONTEXT)
    rng = array(spot.rng, 1, np.uint64)
    row = record(block, AVERAGES).means + 8 * spot.mover * spot.classes
    return best_by_row(rng, spot.kinds, spot.count, spot.classes, row, spot.values)


@jit
def gibbs_sample(block, spot_):
    """A place by the weights of the moves."""
    spot = record(spot_, PLAYOUT_CONTEXT)
    kinds = array(spot.kinds, spot.count, np.int64)
    values = array(spot.values, spot.count, np.float64)
    own = array(record(block, AVERAGES).weights + 8 * spot.mover * spot.classes, spot.classes, np.float64)
    for k in range(spot.count):
        values[k] = own[clamp_class(spot, kinds[k])]
    return sample_index(spot)


def epsilon_greedy(block, spot):
    """The first one, for playouts around it."""
    return uniform(block, spot) if explore(block, spot) else best_average(block, spot)


BY_AVERAGES = PlayoutPolicy(best_average, explore)
BY_WEIGHTS = PlayoutPolicy(gibbs_sample)


@cache
def choosing_kernel():
    """``whole``."""
    return kernel(epsilon_greedy)


@cache
def sampling_kernel():
    """``gibbs_sample``."""
    return kernel(gibbs_sample)
