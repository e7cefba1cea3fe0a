"""MAST: choose by mean results of moves (``core.playouts.average_table``), epsilon-greedy or by Gibbs sampling."""

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
    """Return True with probability epsilon."""
    return should_explore(record(block, AVERAGES), array(record(context, PLAYOUT_CONTEXT).rng, 1, np.uint64))


@jit
def best_average(block, context_):
    """Return the index of the best move; ties are broken uniformly."""
    context = record(context_, PLAYOUT_CONTEXT)
    rng = array(context.rng, 1, np.uint64)
    row = record(block, AVERAGES).means + 8 * context.mover * context.classes
    return best_by_row(rng, context.move_classes, context.count, context.classes, row, context.values)


@jit
def best_listed(block, context_):
    """Return the index of the best move of a weighted list; ties are broken in proportion to the weights."""
    context = record(context_, PLAYOUT_CONTEXT)
    move_classes = array(context.move_classes, context.count, np.int64)
    weights = array(context.probabilities, context.count, np.float64)
    values = array(context.values, context.count, np.float64)
    own = array(record(block, AVERAGES).means + 8 * context.mover * context.classes, context.classes, np.float64)
    best = -np.inf
    for k in range(context.count):
        values[k] = own[clamp_class(context, move_classes[k])]
        best = max(best, values[k])
    for k in range(context.count):
        values[k] = weights[k] if values[k] == best else 0.0
    return sample_index(context)


@jit
def gibbs_sample(block, context_):
    """Return the index of a move, drawn in proportion to the moves' weights."""
    context = record(context_, PLAYOUT_CONTEXT)
    move_classes = array(context.move_classes, context.count, np.int64)
    values = array(context.values, context.count, np.float64)
    own = array(record(block, AVERAGES).weights + 8 * context.mover * context.classes, context.classes, np.float64)
    for k in range(context.count):
        values[k] = own[clamp_class(context, move_classes[k])]
    return sample_index(context)


def epsilon_greedy(block, context):
    """``explore`` and ``best_average`` in one, for playouts that fall back on this policy."""
    return uniform(block, context) if explore(block, context) else best_average(block, context)


EPSILON_GREEDY_AVERAGE = PlayoutPolicy(best_average, explore)
EPSILON_GREEDY_LISTED = PlayoutPolicy(best_listed, explore, listed=True)
GIBBS_AVERAGE = PlayoutPolicy(gibbs_sample)


@cache
def choosing_kernel():
    return kernel(epsilon_greedy)


@cache
def sampling_kernel():
    return kernel(gibbs_sample)
