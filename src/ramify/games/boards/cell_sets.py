"""Sets of more than 64 cells: arrays of 64-bit words, cell k in bit k % 64 of word k // 64."""

import numpy as np

from ramify.core.numbers.bits import ZERO, bit, lowest, nth, popcount, without_lowest

WORD = 64


def words(cells):
    """How many words so many cells need."""
    return (cells + WORD - 1) // WORD


def fill(members, cells):
    """Make it the set of the first ``cells`` cells."""
    for k in range(len(members)):
        left = min(max(cells - WORD * k, 0), WORD)
        members[k] = ~ZERO >> np.uint64(WORD - left) if left > 0 else ZERO


def remove(members, cell):
    """Take a cell out, which must be in."""
    members[cell >> 6] ^= bit(cell & 63)


def size_of(members, count):
    """How many cells are in the first ``count`` words."""
    total = 0
    for k in range(count):
        total += popcount(members[k])
    return total


def nth_of(members, n):
    """The n-th cell, counted from 0; there must be that many."""
    k = 0
    here = popcount(members[0])
    while n >= here:
        n -= here
        k += 1
        here = popcount(members[k])
    return WORD * k + nth(members[k], n)


def listed(members, count, out):
    """Write the cells of the first ``count`` words to ``out``; how many."""
    total = 0
    for k in range(count):
        rest = members[k]
        while rest != ZERO:
            out[total] = WORD * k + lowest(rest)
            rest = without_lowest(rest)
            total += 1
    return total
