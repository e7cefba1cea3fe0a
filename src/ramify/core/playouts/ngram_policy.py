"""Choose by sequences of up to three moves: the N-grams of Tak, Winands and Björnsson 2012.

Single moves stand in a table by player and class (``average_table``), pairs in such a table by both moves, if it is
small enough. Other N-grams stand in a table by hashes (``hash_table``), which has its limit: then no new ones are
noted. A sequence of three is noted only once the pair it begins with has been seen often enough to count: most never
would.
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
        ("averages", np.int64),  # address of the block for single moves
        ("pairs", np.int64),  # and for pairs; 0: they are among the others
        ("length", np.int64),  # of the longest N-grams, 1 to 3
        ("least", np.float64),  # how often one must have been seen to count
        ("base", np.int64),  # larger than players * classes: keys are numbers to this base
        *FIELDS,  # of the hash table, whose rows are how often an N-gram was seen, and what it brought in all
        ("marks", np.int64),
        # Rows, if pairs have a table; row 0 is all NaN.
        ("row_of", np.int64),  # by pair and next player
        ("rows", np.int64),
        ("owners", np.int64),  # of each row, its place in `row_of`
        ("given", np.int64),  # how many rows are in use, with row 0
        ("max_rows", np.int64),
        ("players", np.int64),
        ("classes", np.int64),
    ]
)

_SIX_BITS, _SIX, _ONE, _HIGH = np.uint64(63), np.uint64(6), np.uint64(1), np.uint64(64 - MARK_BITS)


@jit
def is_marked(grams, hashed, made):
    """Whether there is a mark for a move after what came before, of which a hash is given; NOTHING: for any move."""
    place = (hashed + np.uint64(made + 1) * GOLDEN) >> _HIGH
    word = array(grams.marks, MARKS, np.uint64)[place >> _SIX]
    return (word >> (place & _SIX_BITS)) & _ONE != 0


@jit
def mark(grams, hashed, made):
    """Set a mark."""
    place = (hashed + np.uint64(made + 1) * GOLDEN) >> _HIGH
    array(grams.marks, MARKS, np.uint64)[place >> _SIX] |= _ONE << (place & _SIX_BITS)


@jit
def mark_both(grams, prefix, made):
    """An N-gram counts."""
    hashed = mix(np.uint64(prefix))
    mark(grams, hashed, made)
    mark(grams, hashed, NO_MOVE)


@jit
def row_after(grams, pair, player):
    """The number of the row of what a player does after a pair; 0 for none."""
    return array(grams.row_of + 4 * (pair * grams.players + player), 1, np.int32)[0]


@jit
def new_row(grams, pair, player):
    """Begin a row; its number."""
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
    """Let choices find an N-gram that counts; ``pair``: the place of the pair it begins with in the table of pairs."""
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
    """Add to an N-gram: a prefix, which is a number of earlier moves, and the move that followed; its count."""
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
    if count >= grams.least:
        publish_mean(grams, prefix, pair, made, total / count)
    make_room(grams)
    return count


@jit
def clear_published(grams):
    """Nothing counts."""
    marks = array(grams.marks, MARKS, np.uint64)
    for k in range(MARKS):
        marks[k] = np.uint64(0)
    owners = array(grams.owners, grams.max_rows, np.int64)
    for number in range(1, grams.given):
        array(grams.row_of + 4 * owners[number], 1, np.int32)[0] = 0
    grams.given = min(grams.given, 1)


def learn(block_, line_):
    """Credit all N-grams of a simulation."""
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
    pair = 0.0  # how often the pair before has been seen
    for k in range(1, line.length):
        score = scores[player_of(moves[k], line.classes)]
        if grams.length > 2 and k > 1 and pair >= grams.least:
            prefix = (moves[k - 2] + 1) * grams.base + moves[k - 1] + 1
            add_result(grams, prefix, moves[k - 2] * entries + moves[k - 1], moves[k], score)
        if grams.pairs:
            pair = add(pairs, moves[k - 1] * entries + moves[k], score)
        else:
            pair = add_result(grams, moves[k - 1] + 1, NO_MOVE, moves[k], score)
    return 0


def decay(block_, _line):
    """Let the sums in the hash table decay; an N-gram that is left with less than LEAST is forgotten."""
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
            if gram.first >= grams.least:
                prefix = old.key // base
                pair = (prefix // base - 1) * (base - 1) + prefix % base - 1
                publish_mean(grams, prefix, pair, old.key % base, gram.second / gram.first)
    return 0


def clear_ngrams(block_, _line):
    """Forget all N-grams of the hash table."""
    grams = record(block_, GRAMS)
    clear_published(grams)
    clear(grams, INITIAL_CAPACITY)
    return 0


@jit
def explore(block, context):
    """Now and then."""
    return should_explore(
        record(record(block, GRAMS).averages, AVERAGES), array(record(context, PLAYOUT_CONTEXT).rng, 1, np.uint64)
    )


@jit
def look_up(grams, context):
    """Where rows of means stand: of the mover's moves, of pairs, of sequences of three; and what else to look for.

    That is what came before, of pairs and of sequences of three that must be found in the hash table; 0: of none.
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
    """The place of the move whose mean over the N-grams of each length that count is best."""
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
    """A place by Gibbs sampling."""
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
    """Write the mean over the N-grams of each length that count, for each move."""
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
    """The mean of an N-gram that has been seen often enough to count; NaN of others."""
    gram = find(grams, prefix * grams.base + made)
    return gram.second / gram.first if gram.key != 0 and gram.first >= grams.least else np.nan


def epsilon_greedy(block, context):
    """The first one, for playouts around it."""
    return uniform(block, context) if explore(block, context) else best_ngram(block, context)


@cache
def choosing_kernel():
    """``whole``."""
    return kernel(epsilon_greedy)


@cache
def sampling_kernel():
    """``gibbs_sample``."""
    return kernel(gibbs_sample)


@cache
def kernels():
    """To learn, to age and to forget."""
    return kernel(learn), kernel(decay), kernel(clear_ngrams)


EPSILON_GREEDY_NGRAM = PlayoutPolicy(best_ngram, explore)
GIBBS_NGRAM = PlayoutPolicy(gibbs_sample)
