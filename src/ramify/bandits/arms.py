"""What a pull pays, compiled: kernels ``(parameters, width, arm, pulls before, rng, out)``.

An arm's numbers are a row of ``width`` at ``parameters``; its reward is written to ``out``.
"""

import numpy as np

from ramify.core.kernels.compiling import entry
from ramify.core.kernels.pointers import array
from ramify.core.numbers.draws import normal
from ramify.core.numbers.rng import below, uniform

STEPS = 50  # of a mean's path, from 0 to 1
PATH = 500  # a mean's path has ended before so many pulls


def bernoulli(parameters, width, arm, before, rng, out):
    """1 with the chance that stands in the row, else 0."""
    chance = array(parameters + 8 * width * arm, width, np.float64)[0]
    array(out, 1, np.float64)[0] = 1.0 if uniform(array(rng, 1, np.uint64)) < chance else 0.0
    return 0


def gaussian(parameters, width, arm, before, rng, out):
    """Normal, with the mean and deviation that stand in the row."""
    row = array(parameters + 8 * width * arm, width, np.float64)
    array(out, 1, np.float64)[0] = row[0] + row[1] * normal(array(rng, 1, np.uint64))
    return 0


def box(parameters, width, arm, before, rng, out):
    """The number that stands in the row, always."""
    array(out, 1, np.float64)[0] = array(parameters + 8 * width * arm, width, np.float64)[0]
    return 0


def path(parameters, width, arm, before, rng, out):
    """1 with the chance that the arm's path has after so many pulls, else 0; the path then stays at its end."""
    chance = array(parameters + 8 * width * arm, width, np.float64)[min(before, width - 1)]
    array(out, 1, np.float64)[0] = 1.0 if uniform(array(rng, 1, np.uint64)) < chance else 0.0
    return 0


def path_gaussian(parameters, width, arm, before, rng, out):
    """Normal around where the arm's path is after so many pulls; the deviation is the last number of the row."""
    row = array(parameters + 8 * width * arm, width, np.float64)
    spread = row[width - 1] * normal(array(rng, 1, np.uint64))
    array(out, 1, np.float64)[0] = row[min(before, width - 2)] + spread
    return 0


@entry
def draw_path(rng, wins, row):
    """Fill ``row`` with a mean's path to 1 (or 0): walks are drawn anew until one ends there before ``PATH`` steps."""
    end = STEPS if wins else 0
    while True:
        place = STEPS // 2
        row[0] = place / STEPS
        length = 1
        while 0 < place < STEPS and length < PATH:
            place += 2 * below(rng, 2) - 1
            row[length] = place / STEPS
            length += 1
        if place == end:
            row[length:] = place / STEPS
            return length - 1
