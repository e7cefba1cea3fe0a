"""The best of the moves listed, by what stands for their classes in a row of a table, or in three: four at a time.

A class that is out of bounds is taken for the first one; who makes such a move finds out. ``values`` is the address of
room for what stands for each move, and for up to seven more.
"""

from math import inf, isnan

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from ramify.core.kernels.compiling import INLINED, jit
from ramify.core.kernels.pointers import array
from ramify.core.numbers.bits import ZERO
from ramify.core.numbers.draws import argmax
from ramify.core.vector.four_arms import (
    argmax_of_lanes,
    broadcast,
    equal,
    largest,
    only_first,
    random_set_bit,
    read,
    write,
)
from ramify.core.vector.lanes import FLOAT, FLOATS, INT, LANES, WIDTH, WORD, where

_WIDTH, _WORD_BITS = np.uint64(WIDTH), 64


def best_by_row(rng, kinds, count, classes, row, values):
    """The place of a best move, of several an even draw."""
    found = array(values, count, np.float64)
    found[:] = _row_of(kinds, count, classes, row)
    return argmax(rng, found, count)


def best_by_rows(rng, kinds, count, classes, rows, values):
    """The same, where a move is worth the mean of what stands in each of three rows, as far as these are numbers.

    In the first they always are.
    """
    found = array(values, count, np.float64)
    columns = zip(*(_row_of(kinds, count, classes, row) for row in rows), strict=True)
    for k, (first, *others) in enumerate(columns):
        total, terms = first, 1
        for other in others:
            total, terms = (total, terms) if isnan(other) else (total + other, terms + 1)
        found[k] = total / terms
    return argmax(rng, found, count)


def _row_of(kinds, count, classes, row):
    table = array(row, classes, np.float64)
    return [table[kind if 0 <= kind < classes else 0] for kind in array(kinds, count, np.int64)]


@intrinsic
def _rated(typingctx, kinds, left, classes, row):
    """What a row has for four moves, of which only the first ``left`` may be there."""

    def generate(context, builder, signature, values):
        kinds, left, classes, row = values
        lanes = ir.Constant(FLOATS, ir.Undefined)
        for lane in range(WIDTH):
            kind = builder.load(builder.inttoptr(builder.add(kinds, WORD(8 * lane)), WORD.as_pointer()))
            there = builder.icmp_signed("<", WORD(lane), left)
            inside = builder.and_(there, builder.icmp_unsigned("<", kind, classes))
            offset = builder.mul(builder.select(inside, kind, WORD(0)), WORD(8))
            place = builder.inttoptr(builder.add(row, offset), FLOAT.as_pointer())
            lanes = builder.insert_element(lanes, builder.load(place), INT(lane))
        return lanes

    return LANES(types.int64, types.int64, types.int64, types.int64), generate


@jit
def _by_row(kinds, k, count, classes, row):
    """What a row has for four moves from the k-th on; NaN beyond the last."""
    return only_first(_rated(kinds + 8 * k, count - k, classes, row), count - k)


@jit
def _by_rows(kinds, k, count, classes, rows):
    """The same by three rows."""
    one = _rated(kinds + 8 * k, count - k, classes, rows[0])
    two = _rated(kinds + 8 * k, count - k, classes, rows[1])
    three = _rated(kinds + 8 * k, count - k, classes, rows[2])
    total = one + where(two == two, two, 0.0) + where(three == three, three, 0.0)  # noqa: PLR0124  (NaN)
    terms = 1.0 + where(two == two, broadcast(1.0), 0.0) + where(three == three, broadcast(1.0), 0.0)  # noqa: PLR0124
    return only_first(total / terms, count - k)


@jit
def _one_of_best(rng, values, count, best):
    """The place of one of the best."""
    if count > _WORD_BITS:
        return argmax_of_lanes(rng, values, count, best)
    hits = ZERO
    for k in range(0, count, WIDTH):
        hits |= equal(read(values + 8 * k), best) << np.uint64(k)
    return random_set_bit(rng, hits)


@overload(best_by_row, jit_options=INLINED)
def _best_by_row(rng, kinds, count, classes, row, values):
    def compiled(rng, kinds, count, classes, row, values):
        if count <= 2 * WIDTH:
            one, two = _by_row(kinds, 0, count, classes, row), _by_row(kinds, WIDTH, count, classes, row)
            best = largest(max(one, two))
            return random_set_bit(rng, equal(one, best) | equal(two, best) << _WIDTH)
        best = broadcast(-inf)
        for k in range(0, count, 2 * WIDTH):
            one, two = _by_row(kinds, k, count, classes, row), _by_row(kinds, k + WIDTH, count, classes, row)
            write(values + 8 * k, one)
            write(values + 8 * (k + WIDTH), two)
            both = max(one, two)
            best = max(best, both)
        return _one_of_best(rng, values, count, largest(best))

    return compiled


@overload(best_by_rows, jit_options=INLINED)
def _best_by_rows(rng, kinds, count, classes, rows, values):
    def compiled(rng, kinds, count, classes, rows, values):
        best = broadcast(-inf)
        for k in range(0, count, WIDTH):
            found = _by_rows(kinds, k, count, classes, rows)
            write(values + 8 * k, found)
            best = max(best, found)
        return _one_of_best(rng, values, count, largest(best))

    return compiled
