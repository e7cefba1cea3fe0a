"""Operations on four arms at a time (``lanes``): read statistics, write and compare indices.

``one_arm`` has the same names for one arm, except the comparisons.
"""

import math

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ramify.core.kernels.compiling import jit
from ramify.core.numbers.bits import ZERO, lowest, nth, popcount
from ramify.core.numbers.logs import TABLE_SIZE
from ramify.core.numbers.rng import below
from ramify.core.search.tree import CHANCE_AT, NODE_BYTES, TOTAL_AT, VISITS_AT
from ramify.core.vector.lanes import (
    FLOAT,
    FLOATS,
    INT,
    LANES,
    ORDER,
    WIDTH,
    WORD,
    WORDS,
    anywhere,
    as_lanes,
    larger,
    splat,
)
from ramify.errors import BadChoiceError


@intrinsic
def broadcast(typingctx, number):
    """Copy the number to every lane."""

    def generate(context, builder, signature, values):
        return splat(builder, values[0])

    return LANES(types.float64), generate


def _gather(builder, address, stride, item):
    lanes = ir.Constant(ir.VectorType(item, WIDTH), ir.Undefined)
    for lane in range(WIDTH):
        place = builder.inttoptr(builder.add(address, builder.mul(WORD(lane), stride)), item.as_pointer())
        lanes = builder.insert_element(lanes, builder.load(place), INT(lane))
    return lanes


@intrinsic
def _ints_at(typingctx, address, stride):
    """Load four int32, ``stride`` bytes apart."""

    def generate(context, builder, signature, values):
        return builder.sitofp(_gather(builder, *values, INT), FLOATS)

    return LANES(types.int64, types.int64), generate


@intrinsic
def _floats_at(typingctx, address, stride):
    """Load four float64, ``stride`` bytes apart."""

    def generate(context, builder, signature, values):
        return _gather(builder, *values, FLOAT)

    return LANES(types.int64, types.int64), generate


@intrinsic
def _singles_at(typingctx, address, stride):
    """Load four float32, ``stride`` bytes apart."""

    def generate(context, builder, signature, values):
        return builder.fpext(_gather(builder, *values, ir.FloatType()), FLOATS)

    return LANES(types.int64, types.int64), generate


@intrinsic
def _words_at(typingctx, address, stride):
    """Load four int64, ``stride`` bytes apart."""

    def generate(context, builder, signature, values):
        return builder.sitofp(_gather(builder, *values, WORD), FLOATS)

    return LANES(types.int64, types.int64), generate


@jit
def visits_at(children, k):
    """Visits of arms k to k + 3."""
    return _ints_at(children + k * NODE_BYTES + VISITS_AT, NODE_BYTES)


@jit
def total_at(children, k):
    """Reward sums of arms k to k + 3."""
    return _floats_at(children + k * NODE_BYTES + TOTAL_AT, NODE_BYTES)


@jit
def chance_at(children, k):
    """Priors of arms k to k + 3."""
    return _singles_at(children + k * NODE_BYTES + CHANCE_AT, NODE_BYTES)


@jit
def number_at(address, k):
    """Items k to k + 3 of an array of float64."""
    return _floats_at(address + 8 * k, 8)


@jit
def class_at(address, k):
    """Items k to k + 3 of an array of int64."""
    return _words_at(address + 8 * k, 8)


@intrinsic
def _looked_up(typingctx, table, lanes):
    """Gather from a table of float64; the lanes are integral indices."""

    def generate(context, builder, signature, values):
        places = builder.fptosi(values[1], WORDS)
        found = ir.Constant(FLOATS, ir.Undefined)
        for lane in range(WIDTH):
            offset = builder.mul(builder.extract_element(places, INT(lane)), WORD(8))
            place = builder.inttoptr(builder.add(values[0], offset), FLOAT.as_pointer())
            found = builder.insert_element(found, builder.load(place), INT(lane))
        return found

    return LANES(types.int64, LANES), generate


@jit
def ln_at(table, counts):
    """Natural logarithms of integers, 0 for 0. ``table``: address of ``core.numbers.logs.TABLE``."""
    if anywhere(counts >= TABLE_SIZE):
        return math.log(max(counts, 1.0))
    return _looked_up(table, max(counts, 0.0))  # lanes beyond the last arm may hold anything


@intrinsic
def write(typingctx, address, lanes):
    """Store four contiguous float64."""

    def generate(context, builder, signature, values):
        builder.store(values[1], builder.inttoptr(values[0], FLOATS.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.none(types.int64, LANES), generate


@intrinsic
def read(typingctx, address):
    """Load four contiguous float64."""

    def generate(context, builder, signature, values):
        return builder.load(builder.inttoptr(values[0], FLOATS.as_pointer()), align=8)

    return LANES(types.int64), generate


@jit
def nothing_known(counts):
    """Return False: the formula cannot fail, and its value is not used if the count is 0."""
    return False


@intrinsic
def only_first(typingctx, lanes, count):
    """Keep the first ``count`` lanes (a number is broadcast) and set the others to NaN, which no comparison matches."""

    def generate(context, builder, signature, values):
        limit = splat(builder, values[1], WORDS)
        inside = builder.icmp_signed("<", ir.Constant(WORDS, list(range(WIDTH))), limit)
        values = as_lanes(context, builder, lanes, values[0])
        return builder.select(inside, values, ir.Constant(FLOATS, [math.nan] * WIDTH))

    return LANES(lanes, types.int64), generate


@intrinsic
def largest(typingctx, lanes):

    def generate(context, builder, signature, values):
        best = values[0]
        for turn in (2, 1):
            order = ir.Constant(ORDER, [(lane + turn) % WIDTH for lane in range(WIDTH)])
            best = larger(builder, best, builder.shuffle_vector(best, best, order))
        return builder.extract_element(best, INT(0))

    return types.float64(LANES), generate


@intrinsic
def equal(typingctx, lanes, number):
    """One bit per lane, set if it equals the number."""

    def generate(context, builder, signature, values):
        same = builder.fcmp_ordered("==", values[0], splat(builder, values[1]))
        return builder.zext(builder.bitcast(same, ir.IntType(WIDTH)), WORD)

    return types.uint64(LANES, types.float64), generate


@intrinsic
def ordered(typingctx, lanes):
    """One bit per lane, set unless it is NaN."""

    def generate(context, builder, signature, values):
        known = builder.fcmp_ordered("ord", values[0], values[0])
        return builder.zext(builder.bitcast(known, ir.IntType(WIDTH)), WORD)

    return types.uint64(LANES), generate


@jit
def only_first_without_nan(lanes, count):
    """``only_first``; raises BadChoiceError if one of the first ``count`` lanes is NaN."""
    kept = only_first(lanes, count)
    if popcount(ordered(kept)) < min(count, WIDTH):
        raise BadChoiceError
    return kept


@jit
def random_set_bit(rng, hits):
    """Return the position of a set bit; ties are broken uniformly. No bit is set if all indices are NaN."""
    ties = popcount(hits)
    if ties > 1:
        return nth(hits, below(rng, ties))
    if ties == 0:
        raise BadChoiceError
    return lowest(hits)


@jit
def argmax_of_lanes(rng, values, count, best):
    """Return the index of ``best``, the maximum of the values at an address; ties are broken uniformly."""
    ties = 0
    winner = 0
    for k in range(0, count, WIDTH):
        hits = equal(read(values + 8 * k), best)
        ties += popcount(hits)
        winner = k + lowest(hits) if hits != ZERO else winner
    if ties == 1:
        return winner
    if ties == 0:
        raise BadChoiceError
    chosen = below(rng, ties)
    for k in range(0, count, WIDTH):
        hits = equal(read(values + 8 * k), best)
        here = popcount(hits)
        if chosen < here:
            return k + nth(hits, chosen)
        chosen -= here
    return winner
