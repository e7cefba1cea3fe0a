"""Logarithms of counts from a table: computing one per selection took a tenth of a Tic-Tac-Toe simulation."""

from math import log

import numpy as np

from ramify.core.kernels.compiling import jit
from ramify.core.kernels.pointers import array

TABLE_SIZE = 1 << 15
TABLE = np.array([0.0, *(log(count) for count in range(1, TABLE_SIZE))])


@jit
def ln(table, count):
    """Natural logarithm of an integer, 0 for 0; bit-identical to ``math.log``. ``table``: address of TABLE."""
    if count < TABLE_SIZE:
        return array(table, TABLE_SIZE, np.float64)[np.uint64(count)]
    return log(np.float64(count))
