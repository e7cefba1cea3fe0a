"""Cell sets for boards of more than 64 cells: arrays of 64-bit words; cell k is bit k % 64 of word k // 64."""

import numpy as np

from ramify.core.numbers.bits import ZERO, bit, lowest, nth, popcount, without_lowest

WORD = 64


def words(cells):
    """Return the number of words that ``cells`` cells need."""
    return (cells + WORD - 1) // WORD


def fill(members, cells):
    """Set ``members`` to the first ``cells`` cells."""
    for k in range(len(members)):
        left = min(max(cells - WORD * k, 0), WORD)
        members[k] = ~ZERO >> np.uint64(WORD - left) if left > 0 else ZERO


def remove(members, cell):
    """Remove a cell, which must be a member."""
    members[cell >> 6] ^= bit(cell & 63)


def size_of(members, count):
    """Return the number of cells in the first ``count`` words."""
    total = 0
    for k in range(count):
        total += popcount(members[k])
    return total


def nth_of(members, n):
    """Return the n-th cell, counted from 0; the set must have more than n."""
    k = 0
    here = popcount(members[0])
    while n >= here:
        n -= here
        k += 1
        here = popcount(members[k])
    return WORD * k + nth(members[k], n)


def list_cells(members, count, out):
    """Write the cells of the first ``count`` words to ``out`` in ascending order. Return their number."""
    total = 0
    for k in range(count):
        rest = members[k]
        while rest != ZERO:
            out[total] = WORD * k + lowest(rest)
            rest = without_lowest(rest)
            total += 1
    return total
