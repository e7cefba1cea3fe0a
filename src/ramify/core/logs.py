"""Logarithms of counts, from a table: every choice in the tree takes one, a tenth of a simulation of Tic-Tac-Toe."""

from math import log

import numpy as np

from ramify.core.compiling import jit

KNOWN = 1 << 12
TABLE = np.array([0.0, *(log(count) for count in range(1, KNOWN))])


@jit
def ln(count):
    """The natural logarithm of a whole number from 1, given as a float; the same bits as ``math.log``."""
    if count < KNOWN:
        return TABLE[np.int64(count)]
    return log(count)
