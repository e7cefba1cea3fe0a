"""Logarithms of counts, from a table: every choice in the tree takes one, a tenth of a simulation of Tic-Tac-Toe."""

from math import log

import numpy as np

from ramify.core.kernels.compiling import jit
from ramify.core.kernels.pointers import array

TABLE_SIZE = 1 << 15
TABLE = np.array([0.0, *(log(count) for count in range(1, TABLE_SIZE))])


@jit
def ln(table, count):
    """The natural logarithm of a whole number, 0 for 0, the same bits as ``math.log``; ``table``: TABLE's address."""
    if count < TABLE_SIZE:
        return array(table, TABLE_SIZE, np.float64)[np.uint64(count)]
    return log(np.float64(count))
