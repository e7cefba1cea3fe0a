"""Reward kernels of arms: ``(parameters, width, arm, pulls before, rng, out)``.

``parameters`` is the address of one row of ``width`` numbers per arm. The reward is written to ``out``.
"""

import numpy as np

from ramify.core.kernels.compiling import entry
from ramify.core.kernels.pointers import array
from ramify.core.numbers.draws import normal
from ramify.core.numbers.rng import below, uniform

STEPS = 50  # steps of a mean's path from 0 to 1
PATH = 500  # a mean's path ends before this many pulls


def bernoulli(parameters, width, arm, before, rng, out):
    """Pay 1 with the probability in the arm's row, else 0."""
    chance = array(parameters + 8 * width * arm, width, np.float64)[0]
    array(out, 1, np.float64)[0] = 1.0 if uniform(array(rng, 1, np.uint64)) < chance else 0.0
    return 0


def gaussian(parameters, width, arm, before, rng, out):
    """Pay a normal reward with the mean and deviation in the arm's row."""
    row = array(parameters + 8 * width * arm, width, np.float64)
    array(out, 1, np.float64)[0] = row[0] + row[1] * normal(array(rng, 1, np.uint64))
    return 0


def box(parameters, width, arm, before, rng, out):
    """Always pay the number in the arm's row."""
    array(out, 1, np.float64)[0] = array(parameters + 8 * width * arm, width, np.float64)[0]
    return 0


def path(parameters, width, arm, before, rng, out):
    """Pay 1 with the probability that the arm's path has after ``before`` pulls, else 0. The path stays at its end."""
    chance = array(parameters + 8 * width * arm, width, np.float64)[min(before, width - 1)]
    array(out, 1, np.float64)[0] = 1.0 if uniform(array(rng, 1, np.uint64)) < chance else 0.0
    return 0


def path_gaussian(parameters, width, arm, before, rng, out):
    """Pay a normal reward around the arm's path after ``before`` pulls; the deviation is the last number of the row."""
    row = array(parameters + 8 * width * arm, width, np.float64)
    spread = row[width - 1] * normal(array(rng, 1, np.uint64))
    array(out, 1, np.float64)[0] = row[min(before, width - 2)] + spread
    return 0


@entry
def draw_path(rng, wins, row):
    """Fill ``row`` with a mean's path to 1 (or 0): sample walks until one ends there before ``PATH`` steps."""
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
