"""Logarithms of counts, from tables: every choice in the tree takes one, a tenth of a simulation of Tic-Tac-Toe."""

from math import log

import numpy as np

from ramify.core.compiling import jit
from ramify.core.pointers import array

KNOWN = 1 << 15
TABLE = np.array([0.0, *(log(count) for count in range(1, KNOWN))])
FEW = 1 << 12
_FEW = TABLE[:FEW].copy()  # compiled into every kernel that uses `ln`


@jit
def ln(count):
    """The natural logarithm of a whole number from 1, given as a float; the same bits as ``math.log``."""
    if count < FEW:
        return _FEW[np.int64(count)]
    return log(count)


@jit
def ln_of_visits(table, visits):
    """The same of a node's visits, 0 for 0; ``table`` is the address of TABLE."""
    if visits < KNOWN:
        return array(table, KNOWN, np.float64)[np.uint64(visits)]
    return log(np.float64(visits))
