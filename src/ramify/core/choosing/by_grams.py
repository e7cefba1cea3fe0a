"""Choose by sequences of up to three moves: the N-grams of Tak, Winands and Björnsson 2012.

Single moves stand in a table by player and class (``core.engine.averages``), longer N-grams in one by hashes
(``core.engine.hashed``), which has its limit: then no new ones are noted.

Two things keep this quick. A sequence of three is noted only once the pair it begins with has been seen often enough to
count: most never would. And a choice first looks at *marks*: for what came before, one word whose bits tell which
classes may follow in an N-gram that counts.
"""

from functools import cache
from math import isnan

import numpy as np

from ramify.core.engine.averages import AVERAGES, LEAST, credit, explore, gather, rated, sum_up, weigh
from ramify.core.engine.hashed import FIELDS, FIRST_ROOM, ROW, ROW_BYTES, clear, find, make_room
from ramify.core.engine.playing import LINE
from ramify.core.engine.turns import NOTHING, SPOT, UNDECIDED, Chooser
from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, record
from ramify.core.numbers.rng import mix

MARKS = 1 << 13  # words

GRAMS = np.dtype(
    [
        ("averages", np.int64),  # address of the block for single moves
        ("length", np.int64),  # of the longest N-grams, 1 to 3
        ("least", np.float64),  # how often one must have been seen to count
        ("base", np.int64),  # larger than players * classes: keys are numbers to this base
        *FIELDS,  # of the hash table, whose rows are how often an N-gram was seen, and what it brought in all
        ("marks", np.int64),
    ]
)

_SIX_BITS, _ONE, _WORD = np.uint64(63), np.uint64(1), np.uint64(MARKS - 1)


@jit
def marks_after(grams, context):
    """The word of marks for what came before."""
    return array(grams.marks + 8 * np.int64(mix(np.uint64(context)) & _WORD), 1, np.uint64)


@jit
def mark_of(made):
    """The bit of a move."""
    return _ONE << (np.uint64(made) & _SIX_BITS)


@jit
def note(grams, context, made, score):
    """Add to an N-gram: a context, which is a number of earlier moves, and the move that followed; its count."""
    key = context * grams.base + made
    gram = find(grams, key)
    if gram.key == 0:
        if grams.used == grams.most:
            return 0.0
        gram.key = key
        grams.used += 1
    gram.second += score
    count = gram.first + 1.0
    gram.first = count
    if count >= grams.least:
        marks_after(grams, context)[0] |= mark_of(made)
    make_room(grams)
    return count


@jit
def clear_marks(grams):
    """Nothing counts."""
    marks = array(grams.marks, MARKS, np.uint64)
    for k in range(MARKS):
        marks[k] = np.uint64(0)


def learn(block_, line_):
    """Credit all N-grams of a simulation."""
    grams = record(block_, GRAMS)
    line = record(line_, LINE)
    averages = record(grams.averages, AVERAGES)
    credit(averages, line)
    moves = array(line.moves, line.length, np.int64)
    scores = array(line.scores, averages.entries // line.classes, np.float64)
    if grams.length < 2:
        return 0
    pair = 0.0  # how often the pair before has been seen
    for k in range(1, line.length):
        player = 0
        while moves[k] >= line.classes * (player + 1):
            player += 1
        if grams.length > 2 and k > 1 and pair >= grams.least:
            note(grams, (moves[k - 2] + 1) * grams.base + moves[k - 1] + 1, moves[k], scores[player])
        pair = note(grams, moves[k - 1] + 1, moves[k], scores[player])
    return 0


def age(block_, _line):
    """Let the sums decay; an N-gram that is left with less than LEAST is forgotten."""
    grams = record(block_, GRAMS)
    decay, base, before = record(grams.averages, AVERAGES).decay, grams.base, grams.places
    clear_marks(grams)
    clear(grams, grams.room)
    for k in range(grams.room):
        old = record(before + k * ROW_BYTES, ROW)
        if old.key != 0 and old.first * decay >= LEAST:
            gram = find(grams, old.key)
            gram.key = old.key
            gram.first = old.first * decay
            gram.second = old.second * decay
            grams.used += 1
            if gram.first >= grams.least:
                marks_after(grams, old.key // base)[0] |= mark_of(old.key % base)
    return 0


def forget(block_, _line):
    """Forget all N-grams."""
    grams = record(block_, GRAMS)
    clear_marks(grams)
    clear(grams, FIRST_ROOM)
    return 0


@jit
def early(block, spot):
    """A random place now and then."""
    return explore(record(record(block, GRAMS).averages, AVERAGES), record(spot, SPOT))


@jit
def row(block, spot_):
    """Where the means of the mover's single moves stand."""
    spot = record(spot_, SPOT)
    return record(record(block, GRAMS).averages, AVERAGES).means + 8 * spot.mover * spot.classes


@jit
def by_grams(block, spot_):
    """A place by the mean over the N-grams of each length that count."""
    grams = record(block, GRAMS)
    averages = record(grams.averages, AVERAGES)
    spot = record(spot_, SPOT)
    two, three, twos, threes = np.int64(0), np.int64(0), np.uint64(0), np.uint64(0)
    if grams.length > 1 and spot.previous != NOTHING:
        two = spot.previous + 1
        twos = marks_after(grams, two)[0]
    if grams.length > 2 and spot.before != NOTHING:
        three = (spot.before + 1) * grams.base + two
        threes = marks_after(grams, three)[0]
    if twos | threes != 0 or averages.temperature > 0.0:
        values = array(spot.values, spot.count, np.float64)
        kinds = array(spot.kinds, spot.count, np.int64)
        for k in range(spot.count):
            made = spot.mover * spot.classes + kinds[k]
            mark = mark_of(made)
            value, terms = values[k], 1
            if twos & mark != 0:
                mean = mean_of(grams, two, made)
                value, terms = (value, terms) if isnan(mean) else (value + mean, terms + 1)
            if threes & mark != 0:
                mean = mean_of(grams, three, made)
                value, terms = (value, terms) if isnan(mean) else (value + mean, terms + 1)
            value /= terms
            values[k] = weigh(value, averages.temperature) if averages.temperature > 0.0 else value
        sum_up(spot)
    return rated(averages, spot)


@jit
def mean_of(grams, context, made):
    """The mean of an N-gram that has been seen often enough to count; NaN of others."""
    gram = find(grams, context * grams.base + made)
    return gram.second / gram.first if gram.key != 0 and gram.first >= grams.least else np.nan


def whole(block, spot):
    """All of it, for playouts around it."""
    k = early(block, spot)
    if k == UNDECIDED:
        gather(record(spot, SPOT), row(block, spot))
        k = by_grams(block, spot)
    return k


@cache
def kernels():
    """To choose, to learn, to age and to forget."""
    return kernel(whole), kernel(learn), kernel(age), kernel(forget)


BY_GRAMS = Chooser(by_grams, early, row)
