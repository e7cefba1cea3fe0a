"""N-grams: choose by mean results of sequences of up to three moves (Tak, Winands and Björnsson 2012).

1-grams are in a table by player and class (``average_table``), 2-grams in such a table by both moves if it is small
enough. Other N-grams are in a hash table (``hash_table``); once that is full, no new ones are added. A 3-gram is added
only once its first two moves, as a 2-gram, have been seen ``min_count`` times: most never are.
"""

from functools import cache
from math import isnan

import numpy as np

from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, record
from ramify.core.numbers.draws import argmax
from ramify.core.numbers.rng import GOLDEN, mix
from ramify.core.playouts.average_table import (
    AVERAGES,
    MIN_SAMPLE,
    add,
    credit,
    gibbs_weight,
    player_of,
    sample_index,
    should_explore,
)
from ramify.core.playouts.context import NO_MOVE, PLAYOUT_CONTEXT, PlayoutPolicy, clamp_class
from ramify.core.playouts.hash_table import FIELDS, INITIAL_CAPACITY, ROW, ROW_BYTES, clear, find, make_room
from ramify.core.playouts.move_sequence import MOVE_SEQUENCE
from ramify.core.playouts.random_policy import uniform
from ramify.core.vector.rated_moves import best_by_row, best_by_rows

MARK_BITS = 20
MARKS = (1 << MARK_BITS) // 64  # words

GRAMS = np.dtype(
    [
        ("averages", np.int64),  # address of the 1-gram block
        ("pairs", np.int64),  # address of the 2-gram block; 0: 2-grams are in the hash table
        ("length", np.int64),  # of the longest N-grams, 1 to 3
        ("min_count", np.float64),  # minimum count of an N-gram that is used
        ("base", np.int64),  # greater than players * classes; keys are numbers in this base
        *FIELDS,  # of the hash table; its rows are an N-gram's count and total score
        ("marks", np.int64),
        # Rows of 3-gram means by class, if 2-grams have a table; row 0 is all NaN.
        ("row_of", np.int64),  # by 2-gram and next player
        ("rows", np.int64),
        ("owners", np.int64),  # by row: its index in `row_of`
        ("given", np.int64),  # rows in use, including row 0
        ("max_rows", np.int64),
        ("players", np.int64),
        ("classes", np.int64),
    ]
)

_SIX_BITS, _SIX, _ONE, _HIGH = np.uint64(63), np.uint64(6), np.uint64(1), np.uint64(64 - MARK_BITS)


@jit
def is_marked(grams, hashed, made):
    """Whether the move is marked after the prefix with hash ``hashed``; NO_MOVE: whether any move is."""
    place = (hashed + np.uint64(made + 1) * GOLDEN) >> _HIGH
    word = array(grams.marks, MARKS, np.uint64)[place >> _SIX]
    return (word >> (place & _SIX_BITS)) & _ONE != 0


@jit
def mark(grams, hashed, made):
    place = (hashed + np.uint64(made + 1) * GOLDEN) >> _HIGH
    array(grams.marks, MARKS, np.uint64)[place >> _SIX] |= _ONE << (place & _SIX_BITS)


@jit
def mark_both(grams, prefix, made):
    """Mark an N-gram that is used, and its prefix."""
    hashed = mix(np.uint64(prefix))
    mark(grams, hashed, made)
    mark(grams, hashed, NO_MOVE)


@jit
def row_after(grams, pair, player):
    """Return the row of a player's moves after a 2-gram, or 0."""
    return array(grams.row_of + 4 * (pair * grams.players + player), 1, np.int32)[0]


@jit
def new_row(grams, pair, player):
    """Start a row of NaN. Return its number."""
    number = grams.given
    grams.given += 1
    array(grams.owners, grams.max_rows, np.int64)[number] = pair * grams.players + player
    array(grams.row_of + 4 * (pair * grams.players + player), 1, np.int32)[0] = number
    means = array(grams.rows + 8 * number * grams.classes, grams.classes, np.float64)
    for k in range(grams.classes):
        means[k] = np.nan
    return number


@jit
def publish_mean(grams, prefix, pair, made, mean):
    """Make the mean of an N-gram visible to choices. ``pair``: index of its first two moves in the 2-gram table."""
    if grams.pairs:
        player = player_of(made, grams.classes)
        number = np.int64(row_after(grams, pair, player))
        if number == 0 and grams.given < grams.max_rows:
            number = new_row(grams, pair, player)
        if number != 0:
            move_class = made - player * grams.classes
            array(grams.rows + 8 * number * grams.classes, grams.classes, np.float64)[move_class] = mean
            return
    mark_both(grams, prefix, made)


@jit
def add_result(grams, prefix, pair, made, score):
    """Add a result of the N-gram of ``prefix`` (earlier moves as one number) and ``made``. Return its count."""
    key = prefix * grams.base + made
    gram = find(grams, key)
    if gram.key == 0:
        if grams.used == grams.max_entries:
            return 0.0
        gram.key = key
        grams.used += 1
    total = gram.second + score
    count = gram.first + 1.0
    gram.second = total
    gram.first = count
    if count >= grams.min_count:
        publish_mean(grams, prefix, pair, made, total / count)
    make_room(grams)
    return count


@jit
def clear_published(grams):
    """Hide all N-grams of the hash table from choices."""
    marks = array(grams.marks, MARKS, np.uint64)
    for k in range(MARKS):
        marks[k] = np.uint64(0)
    owners = array(grams.owners, grams.max_rows, np.int64)
    for number in range(1, grams.given):
        array(grams.row_of + 4 * owners[number], 1, np.int32)[0] = 0
    grams.given = min(grams.given, 1)


def learn(block_, line_):
    grams = record(block_, GRAMS)
    line = record(line_, MOVE_SEQUENCE)
    averages = record(grams.averages, AVERAGES)
    pairs = record(grams.pairs if grams.pairs else grams.averages, AVERAGES)
    credit(averages, line)
    moves = array(line.moves, line.length, np.int64)
    entries = averages.entries
    scores = array(line.scores, grams.players, np.float64)
    if grams.length < 2:
        return 0
    pair = 0.0  # count of the previous 2-gram
    for k in range(1, line.length):
        score = scores[player_of(moves[k], line.classes)]
        if grams.length > 2 and k > 1 and pair >= grams.min_count:
            prefix = (moves[k - 2] + 1) * grams.base + moves[k - 1] + 1
            add_result(grams, prefix, moves[k - 2] * entries + moves[k - 1], moves[k], score)
        if grams.pairs:
            pair = add(pairs, moves[k - 1] * entries + moves[k], score)
        else:
            pair = add_result(grams, moves[k - 1] + 1, NO_MOVE, moves[k], score)
    return 0


def decay(block_, _line):
    """Decay the hash table; drop N-grams whose count falls below MIN_SAMPLE."""
    grams = record(block_, GRAMS)
    rate, base, before = record(grams.averages, AVERAGES).decay, grams.base, grams.slots
    clear_published(grams)
    clear(grams, grams.capacity)
    for k in range(grams.capacity):
        old = record(before + k * ROW_BYTES, ROW)
        if old.key != 0 and old.first * rate >= MIN_SAMPLE:
            gram = find(grams, old.key)
            gram.key = old.key
            gram.first = old.first * rate
            gram.second = old.second * rate
            grams.used += 1
            if gram.first >= grams.min_count:
                prefix = old.key // base
                pair = (prefix // base - 1) * (base - 1) + prefix % base - 1
                publish_mean(grams, prefix, pair, old.key % base, gram.second / gram.first)
    return 0


def clear_ngrams(block_, _line):
    """Clear the hash table."""
    grams = record(block_, GRAMS)
    clear_published(grams)
    clear(grams, INITIAL_CAPACITY)
    return 0


@jit
def explore(block, context):
    """Return True with probability epsilon."""
    return should_explore(
        record(record(block, GRAMS).averages, AVERAGES), array(record(context, PLAYOUT_CONTEXT).rng, 1, np.uint64)
    )


@jit
def look_up(grams, context):
    """Return the addresses of the rows of 1-, 2- and 3-gram means, and two prefixes to look up in the hash table.

    The prefixes are those of 2-grams and 3-grams; 0: nothing to look up.
    """
    averages = record(grams.averages, AVERAGES)
    own = context.mover * context.classes
    ones, twos, threes = averages.means + 8 * own, grams.rows, grams.rows
    two = context.previous + 1 if grams.length > 1 else np.int64(0)
    three = (context.before + 1) * grams.base + two if grams.length > 2 and context.before != NO_MOVE else np.int64(0)
    if grams.pairs:
        if two != 0:
            twos = record(grams.pairs, AVERAGES).means + 8 * (context.previous * averages.entries + own)
            two = np.int64(0)
        if three != 0:
            number = np.int64(row_after(grams, context.before * averages.entries + context.previous, context.mover))
            threes += 8 * number * context.classes
            if number != 0 or grams.given < grams.max_rows:
                three = np.int64(0)
    if two != 0 and not is_marked(grams, mix(np.uint64(two)), NO_MOVE):
        two = np.int64(0)
    if three != 0 and not is_marked(grams, mix(np.uint64(three)), NO_MOVE):
        three = np.int64(0)
    return (ones, twos, threes), two, three


@jit
def best_ngram(block, context_):
    """Return the index of the move with the best mean over its N-grams of each length."""
    grams = record(block, GRAMS)
    context = record(context_, PLAYOUT_CONTEXT)
    rng = array(context.rng, 1, np.uint64)
    rows, two, three = look_up(grams, context)
    if two | three != 0:
        average(grams, context, rows, two, three)
        return np.int64(argmax(rng, array(context.values, context.count, np.float64), context.count))
    if rows[1] == rows[2]:  # both are row 0
        return best_by_row(rng, context.move_classes, context.count, context.classes, rows[0], context.values)
    return best_by_rows(rng, context.move_classes, context.count, context.classes, rows, context.values)


@jit
def gibbs_sample(block, context_):
    """Return the index of a move, drawn by Gibbs sampling."""
    grams = record(block, GRAMS)
    context = record(context_, PLAYOUT_CONTEXT)
    temperature = record(grams.averages, AVERAGES).temperature
    rows, two, three = look_up(grams, context)
    average(grams, context, rows, two, three)
    values = array(context.values, context.count, np.float64)
    for k in range(context.count):
        values[k] = gibbs_weight(values[k], temperature)
    return sample_index(context)


@jit
def average(grams, context, rows, two, three):
    """Write each move's mean over its N-grams of each length that have been seen often enough."""
    move_classes = array(context.move_classes, context.count, np.int64)
    values = array(context.values, context.count, np.float64)
    ones = array(rows[0], context.classes, np.float64)
    twos = array(rows[1], context.classes, np.float64)
    threes = array(rows[2], context.classes, np.float64)
    after_one, after_two = mix(np.uint64(two)), mix(np.uint64(three))
    for k in range(context.count):
        move_class = clamp_class(context, move_classes[k])
        made = context.mover * context.classes + np.int64(move_class)
        value, terms = ones[move_class], 1
        mean = twos[move_class]
        if two != 0 and is_marked(grams, after_one, made):
            mean = mean_of(grams, two, made)
        value, terms = (value, terms) if isnan(mean) else (value + mean, terms + 1)
        mean = threes[move_class]
        if three != 0 and is_marked(grams, after_two, made):
            mean = mean_of(grams, three, made)
        value, terms = (value, terms) if isnan(mean) else (value + mean, terms + 1)
        values[k] = value / terms


@jit
def mean_of(grams, prefix, made):
    """Return the mean of an N-gram, or NaN if its count is below ``min_count``."""
    gram = find(grams, prefix * grams.base + made)
    return gram.second / gram.first if gram.key != 0 and gram.first >= grams.min_count else np.nan


def epsilon_greedy(block, context):
    """``explore`` and ``best_ngram`` in one, for playouts that fall back on this policy."""
    return uniform(block, context) if explore(block, context) else best_ngram(block, context)


@cache
def choosing_kernel():
    return kernel(epsilon_greedy)


@cache
def sampling_kernel():
    return kernel(gibbs_sample)


@cache
def kernels():
    """Kernels that learn, decay and clear."""
    return kernel(learn), kernel(decay), kernel(clear_ngrams)


EPSILON_GREEDY_NGRAM = PlayoutPolicy(best_ngram, explore)
GIBBS_NGRAM = PlayoutPolicy(gibbs_sample)
