"""The best of the listed moves by the values of their classes, in one row of a table or in three; four at a time.

A class out of range is treated as class 0; playing such a move reports the error. ``values`` is the address of a buffer
with one number per move plus seven.
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


def best_by_row(rng, move_classes, count, classes, row, values):
    """Return the index of the best move; ties are broken uniformly."""
    found = array(values, count, np.float64)
    found[:] = _row_of(move_classes, count, classes, row)
    return argmax(rng, found, count)


def best_by_rows(rng, move_classes, count, classes, rows, values):
    """Return the index of the move with the best mean over three rows, ignoring NaN; ties are broken uniformly.

    The first row has no NaN.
    """
    found = array(values, count, np.float64)
    columns = zip(*(_row_of(move_classes, count, classes, row) for row in rows), strict=True)
    for k, (first, *others) in enumerate(columns):
        total, terms = first, 1
        for other in others:
            total, terms = (total, terms) if isnan(other) else (total + other, terms + 1)
        found[k] = total / terms
    return argmax(rng, found, count)


def _row_of(move_classes, count, classes, row):
    table = array(row, classes, np.float64)
    return [table[one if 0 <= one < classes else 0] for one in array(move_classes, count, np.int64)]


@intrinsic
def _rated(typingctx, move_classes, left, classes, row):
    """Load the row's values of four moves. Only the first ``left`` exist; the others read class 0."""

    def generate(context, builder, signature, values):
        move_classes, left, classes, row = values
        lanes = ir.Constant(FLOATS, ir.Undefined)
        for lane in range(WIDTH):
            move_class = builder.load(builder.inttoptr(builder.add(move_classes, WORD(8 * lane)), WORD.as_pointer()))
            there = builder.icmp_signed("<", WORD(lane), left)
            inside = builder.and_(there, builder.icmp_unsigned("<", move_class, classes))
            offset = builder.mul(builder.select(inside, move_class, WORD(0)), WORD(8))
            place = builder.inttoptr(builder.add(row, offset), FLOAT.as_pointer())
            lanes = builder.insert_element(lanes, builder.load(place), INT(lane))
        return lanes

    return LANES(types.int64, types.int64, types.int64, types.int64), generate


@jit
def _by_row(move_classes, k, count, classes, row):
    """Values of moves k to k + 3 in a row; NaN beyond the last move."""
    return only_first(_rated(move_classes + 8 * k, count - k, classes, row), count - k)


@jit
def _by_rows(move_classes, k, count, classes, rows):
    """Means of moves k to k + 3 over three rows; NaN beyond the last move."""
    one = _rated(move_classes + 8 * k, count - k, classes, rows[0])
    two = _rated(move_classes + 8 * k, count - k, classes, rows[1])
    three = _rated(move_classes + 8 * k, count - k, classes, rows[2])
    total = one + where(two == two, two, 0.0) + where(three == three, three, 0.0)  # noqa: PLR0124  (NaN)
    terms = 1.0 + where(two == two, broadcast(1.0), 0.0) + where(three == three, broadcast(1.0), 0.0)  # noqa: PLR0124
    return only_first(total / terms, count - k)


@jit
def _one_of_best(rng, values, count, best):
    if count > _WORD_BITS:
        return argmax_of_lanes(rng, values, count, best)
    hits = ZERO
    for k in range(0, count, WIDTH):
        hits |= equal(read(values + 8 * k), best) << np.uint64(k)
    return random_set_bit(rng, hits)


@overload(best_by_row, jit_options=INLINED)
def _best_by_row(rng, move_classes, count, classes, row, values):
    def compiled(rng, move_classes, count, classes, row, values):
        if count <= 2 * WIDTH:
            one, two = _by_row(move_classes, 0, count, classes, row), _by_row(move_classes, WIDTH, count, classes, row)
            best = largest(max(one, two))
            return random_set_bit(rng, equal(one, best) | equal(two, best) << _WIDTH)
        best = broadcast(-inf)
        for k in range(0, count, 2 * WIDTH):
            one, two = (
                _by_row(move_classes, k, count, classes, row),
                _by_row(move_classes, k + WIDTH, count, classes, row),
            )
            write(values + 8 * k, one)
            write(values + 8 * (k + WIDTH), two)
            both = max(one, two)
            best = max(best, both)
        return _one_of_best(rng, values, count, largest(best))

    return compiled


@overload(best_by_rows, jit_options=INLINED)
def _best_by_rows(rng, move_classes, count, classes, rows, values):
    def compiled(rng, move_classes, count, classes, rows, values):
        best = broadcast(-inf)
        for k in range(0, count, WIDTH):
            found = _by_rows(move_classes, k, count, classes, rows)
            write(values + 8 * k, found)
            best = max(best, found)
        return _one_of_best(rng, values, count, largest(best))

    return compiled
