"""Mean results of moves over the whole search, by player and class, and the two ways of choosing by them.

The table of MAST (Finnsson and Björnsson 2008), and the single moves of N-grams. A move is credited each time that it
occurs in a simulation. What choices read stands beside the sums: the mean, and its weight in Gibbs sampling, so that no
choice divides or takes an exponential. The moves seen are listed, because most tables are larger than a search is long.
"""

from functools import cache
from math import exp

import numpy as np

from ramify.core.engine.playing import LINE
from ramify.core.engine.turns import UNDECIDED
from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, record
from ramify.core.numbers.rng import below, uniform

LEAST = 0.5  # of a sample: what has decayed to less counts as not seen

AVERAGES = np.dtype(
    [
        # How to choose.
        ("epsilon", np.float64),
        ("temperature", np.float64),  # 0: epsilon-greedy, else Gibbs sampling
        ("start", np.float64),  # the mean of a move not yet seen
        ("decay", np.float64),
        # By player and class.
        ("sums", np.int64),  # pairs: how often a move was made, and what it brought in all
        ("means", np.int64),
        ("weights", np.int64),  # 0: nobody samples
        ("entries", np.int64),
        ("seen", np.int64),  # those with a count
        ("known", np.int64),  # how many
    ]
)


@jit
def weigh(mean, temperature):
    """The weight of a move in Gibbs sampling, 1 for a mean of 1."""
    return exp((mean - 1.0) / temperature)


@jit
def put(averages, made, mean):
    """Write the mean of a move, and its weight."""
    array(averages.means + 8 * made, 1, np.float64)[0] = mean
    if averages.weights:
        array(averages.weights + 8 * made, 1, np.float64)[0] = weigh(mean, averages.temperature)


@jit
def credit(averages, line):
    """Credit every move of a line with what its player got."""
    length, classes = line.length, line.classes
    moves = array(line.moves, length, np.int64)
    scores = array(line.scores, averages.entries // classes, np.float64)
    sums = array(averages.sums, 2 * averages.entries, np.float64)
    for k in range(length):
        made = moves[k]
        player = 0  # a division takes longer
        while made >= classes * (player + 1):
            player += 1
        count, total = sums[2 * made] + 1.0, sums[2 * made + 1] + scores[player]
        if count == 1.0:
            array(averages.seen + 8 * averages.known, 1, np.int64)[0] = made
            averages.known += 1
        sums[2 * made] = count
        sums[2 * made + 1] = total
        put(averages, made, total / count)


def learn(block, line):
    """Credit the moves of a simulation."""
    credit(record(block, AVERAGES), record(line, LINE))
    return 0


def age(block, _line):
    """Let the sums decay."""
    averages = record(block, AVERAGES)
    sums = array(averages.sums, 2 * averages.entries, np.float64)
    seen = array(averages.seen, averages.entries, np.int64)
    left = 0
    for k in range(averages.known):
        made = seen[k]
        count, total = sums[2 * made] * averages.decay, sums[2 * made + 1] * averages.decay
        if count < LEAST:
            sums[2 * made] = 0.0
            sums[2 * made + 1] = 0.0
            put(averages, made, averages.start)
        else:
            sums[2 * made] = count
            sums[2 * made + 1] = total
            put(averages, made, total / count)
            seen[left] = made
            left += 1
    averages.known = left
    return 0


@jit
def explore(averages, spot):
    """A random place now and then, else UNDECIDED; Gibbs sampling has none of them."""
    rng = array(spot.rng, 1, np.uint64)
    if averages.temperature == 0.0 and averages.epsilon > 0.0 and uniform(rng) < averages.epsilon:
        return below(rng, spot.count)
    return np.int64(UNDECIDED)


@jit
def rated(averages, spot):
    """A place by the spot's values: the largest, or Gibbs sampling."""
    return sampled(spot) if averages.temperature > 0.0 else greedy(spot)


@jit
def greedy(spot):
    """The place of the largest value, equal ones decided by an even draw."""
    winner = spot.winner
    if spot.ties == 1:
        return winner
    values = array(spot.values, spot.count, np.float64)
    left = below(array(spot.rng, 1, np.uint64), spot.ties)
    best = values[winner]
    while left > 0:
        winner += 1
        left -= values[winner] == best
    return winner


@jit
def sampled(spot):
    """A place, each as likely as its value; any where all values are 0."""
    rng = array(spot.rng, 1, np.uint64)
    if spot.total <= 0.0:
        return below(rng, spot.count)
    values = array(spot.values, spot.count, np.float64)
    left = uniform(rng) * spot.total
    for k in range(spot.count - 1):
        left -= values[k]
        if left < 0.0:
            return np.int64(k)
    return spot.count - 1


@jit
def gather(spot, row):
    """Write what a row of the table says of each move listed."""
    kinds = array(spot.kinds, spot.count, np.int64)
    values = array(spot.values, spot.count, np.float64)
    own = array(row, spot.classes, np.float64)
    for k in range(spot.count):
        values[k] = own[np.uint64(kinds[k])]
    sum_up(spot)


@jit
def sum_up(spot):
    """Find the largest of the values, how many are equal to it, and their sum."""
    values = array(spot.values, spot.count, np.float64)
    best, winner, ties, total = values[0], 0, 1, values[0]
    for k in range(1, spot.count):
        value = values[k]
        better = value > best
        ties = 1 if better else ties + (value == best)
        winner = k if better else winner
        best = value if better else best
        total += value
    spot.winner, spot.ties, spot.total = winner, ties, total


@cache
def learning_kernel():
    """``learn``."""
    return kernel(learn)


@cache
def aging_kernel():
    """``age``."""
    return kernel(age)
