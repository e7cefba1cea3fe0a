"""What a kernel reads and does with one arm at a time: ``four_arms`` has the same names for four."""

import numpy as np

from ramify.core.kernels.compiling import jit
from ramify.core.kernels.pointers import array, record
from ramify.core.numbers.logs import ln
from ramify.core.search.tree import NODE, NODE_BYTES

WIDTH = 1


@jit
def visits_at(children, k):
    """How often arm ``k`` has been visited."""
    return np.float64(record(children + k * NODE_BYTES, NODE).visits)


@jit
def total_at(children, k):
    """The sum of its rewards."""
    return record(children + k * NODE_BYTES, NODE).total


@jit
def chance_at(children, k):
    """Its prior."""
    return np.float64(record(children + k * NODE_BYTES, NODE).chance)


@jit
def number_at(address, k):
    """Its number in a row of float64."""
    return array(address + 8 * k, 1, np.float64)[0]


@jit
def class_at(address, k):
    """Its number in a row of int64: a whole number, so that it may be an index."""
    return array(address + 8 * k, 1, np.int64)[0]


@jit
def ln_at(table, counts):
    """The logarithm of a whole number, 0 for 0; ``table`` is the address of ``core.numbers.logs.TABLE``."""
    return ln(table, np.int64(counts))


@jit
def nothing_known(counts):
    """Whether the formula must not be asked, because nothing has been counted."""
    return counts <= 0.0


@jit
def broadcast(number):
    """The number."""
    return number


@jit
def only_first(number, count):
    """The number: there are no lanes beyond the last arm."""
    return number


@jit
def largest(number):
    """The number."""
    return number
