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
def explore(block, context):
    """Now and then."""
    return should_explore(record(block, AVERAGES), array(record(context, PLAYOUT_CONTEXT).rng, 1, np.uint64))


@jit
def best_average(block, context_):
    """The place of the best move."""
    context = record(context_, PLAYOUT_CONTEXT)
    rng = array(context.rng, 1, np.uint64)
    row = record(block, AVERAGES).means + 8 * context.mover * context.classes
    return best_by_row(rng, context.move_classes, context.count, context.classes, row, context.values)


@jit
def gibbs_sample(block, context_):
    """A place by the weights of the moves."""
    context = record(context_, PLAYOUT_CONTEXT)
    move_classes = array(context.move_classes, context.count, np.int64)
    values = array(context.values, context.count, np.float64)
    own = array(record(block, AVERAGES).weights + 8 * context.mover * context.classes, context.classes, np.float64)
    for k in range(context.count):
        values[k] = own[clamp_class(context, move_classes[k])]
    return sample_index(context)


def epsilon_greedy(block, context):
    """The first one, for playouts around it."""
    return uniform(block, context) if explore(block, context) else best_average(block, context)


EPSILON_GREEDY_AVERAGE = PlayoutPolicy(best_average, explore)
GIBBS_AVERAGE = PlayoutPolicy(gibbs_sample)


@cache
def choosing_kernel():
    """``whole``."""
    return kernel(epsilon_greedy)


@cache
def sampling_kernel():
    """``gibbs_sample``."""
    return kernel(gibbs_sample)
