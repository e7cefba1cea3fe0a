"""Mean results of moves over the whole search, by player and class.

The table of MAST (Finnsson and Björnsson 2008), also used for the 1-grams of N-grams. A move is credited each time it
occurs in a simulation. Means and their Gibbs weights are stored beside the sums, so that a choice needs no division or
exponential. The moves seen are listed, because most tables have more entries than a search has moves.
"""

from functools import cache
from math import exp

import numpy as np

from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, record
from ramify.core.numbers.rng import below, uniform
from ramify.core.playouts.move_sequence import MOVE_SEQUENCE

MIN_SAMPLE = 0.5  # a count that decays below this is reset to unseen

AVERAGES = np.dtype(
    [
        # Parameters.
        ("epsilon", np.float64),
        ("temperature", np.float64),  # 0: epsilon-greedy, else Gibbs sampling
        ("start", np.float64),  # mean of a move seen fewer than `min_count` times
        ("min_count", np.float64),
        ("decay", np.float64),
        # By player and class.
        ("sums", np.int64),  # pairs: count of a move and its total score
        ("means", np.int64),
        ("weights", np.int64),  # 0: not sampled
        ("entries", np.int64),
        ("seen", np.int64),  # entries with a count
        ("known", np.int64),  # number of them
    ]
)


@jit
def gibbs_weight(mean, temperature):
    """Weight of a move in Gibbs sampling; 1 for a mean of 1."""
    return exp((mean - 1.0) / temperature)


@jit
def set_mean(averages, made, mean):
    array(averages.means + 8 * made, 1, np.float64)[0] = mean
    if averages.weights:
        array(averages.weights + 8 * made, 1, np.float64)[0] = gibbs_weight(mean, averages.temperature)


@jit
def add(averages, made, score):
    """Add a result of a move. Return the move's count."""
    sums = array(averages.sums + 16 * made, 2, np.float64)
    count, total = sums[0] + 1.0, sums[1] + score
    sums[0] = count
    sums[1] = total
    if count == 1.0:
        array(averages.seen + 8 * averages.known, 1, np.int64)[0] = made
        averages.known += 1
    if count >= averages.min_count:
        set_mean(averages, made, total / count)
    return count


@jit
def credit(averages, line):
    """Credit every move of a sequence with its player's score."""
    length, classes = line.length, line.classes
    moves = array(line.moves, length, np.int64)
    scores = array(line.scores, averages.entries // classes, np.float64)
    for k in range(length):
        add(averages, moves[k], scores[player_of(moves[k], classes)])


@jit
def player_of(made, classes):
    """Return the player who made a move. Faster than a division."""
    player = 0
    while made >= classes * (player + 1):
        player += 1
    return player


def learn(block, line):
    credit(record(block, AVERAGES), record(line, MOVE_SEQUENCE))
    return 0


def decay(block, _line):
    averages = record(block, AVERAGES)
    sums = array(averages.sums, 2 * averages.entries, np.float64)
    seen = array(averages.seen, averages.entries, np.int64)
    left = 0
    for k in range(averages.known):
        made = seen[k]
        count, total = sums[2 * made] * averages.decay, sums[2 * made + 1] * averages.decay
        if count < MIN_SAMPLE:
            sums[2 * made] = 0.0
            sums[2 * made + 1] = 0.0
            set_mean(averages, made, averages.start)
        else:
            sums[2 * made] = count
            sums[2 * made + 1] = total
            set_mean(averages, made, total / count if count >= averages.min_count else averages.start)
            seen[left] = made
            left += 1
    averages.known = left
    return 0


@jit
def should_explore(averages, rng):
    """Return True with probability epsilon."""
    return averages.epsilon > 0.0 and uniform(rng) < averages.epsilon


@jit
def sample_index(context):
    """Draw an index in proportion to ``context.values``; uniformly if all are 0."""
    rng = array(context.rng, 1, np.uint64)
    count = context.count
    values = array(context.values, count, np.float64)
    total = 0.0
    for k in range(count):
        total += values[k]
    if total <= 0.0:
        return below(rng, count)
    left = uniform(rng) * total
    for k in range(count - 1):
        left -= values[k]
        if left < 0.0:
            return np.int64(k)
    return count - 1


@cache
def learning_kernel():
    return kernel(learn)


@cache
def decay_kernel():
    return kernel(decay)
