"""Operations on one arm at a time; ``four_arms`` has the same names for four."""

import numpy as np

from ramify.core.kernels.compiling import jit
from ramify.core.kernels.pointers import array, record
from ramify.core.numbers.logs import ln
from ramify.core.search.tree import NODE, NODE_BYTES

WIDTH = 1


@jit
def visits_at(children, k):
    """Visits of arm k."""
    return np.float64(record(children + k * NODE_BYTES, NODE).visits)


@jit
def total_at(children, k):
    """Reward sum of arm k."""
    return record(children + k * NODE_BYTES, NODE).total


@jit
def chance_at(children, k):
    """Prior of arm k."""
    return np.float64(record(children + k * NODE_BYTES, NODE).chance)


@jit
def number_at(address, k):
    """Item k of an array of float64."""
    return array(address + 8 * k, 1, np.float64)[0]


@jit
def class_at(address, k):
    """Item k of an array of int64, usable as an index."""
    return array(address + 8 * k, 1, np.int64)[0]


@jit
def ln_at(table, counts):
    """Natural logarithm of an integer, 0 for 0. ``table``: address of ``core.numbers.logs.TABLE``."""
    return ln(table, np.int64(counts))


@jit
def nothing_known(counts):
    """Whether the formula must be skipped because the count is 0."""
    return counts <= 0.0


@jit
def broadcast(number):
    return number


@jit
def only_first(number, count):
    """Return the number: no lane is beyond the last arm."""
    return number


@jit
def largest(number):
    return number
