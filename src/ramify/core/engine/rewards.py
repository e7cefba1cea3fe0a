"""Rewards other than the game's own score: kernels that change the scores of a finished simulation."""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import kernel
from ramify.core.kernels.pointers import array, call

# The numbers of score_bonus: how much, the lowest and highest margin, the address of the game's margin, and its answer.
GAMMA, LOWEST, HIGHEST, MARGIN_AT, MARGIN = range(5)


def score_bonus(rules, state, scores_, numbers_):
    """Losses from 0 to gamma and wins from 1 - gamma to 1, linear in the margin; draws stay as they are."""
    numbers = array(numbers_, 5, np.float64)
    scores = array(scores_, 2, np.float64)
    call(np.int64(numbers[MARGIN_AT]), (rules, state, numbers_ + 8 * MARGIN))
    if scores[0] > 0.5:
        share = min(max(numbers[MARGIN] / numbers[HIGHEST], 0.0), 1.0)
        scores[0] = 1.0 - numbers[GAMMA] * (1.0 - share)
    elif scores[0] < 0.5:
        share = min(max(numbers[MARGIN] / numbers[LOWEST], 0.0), 1.0)
        scores[0] = numbers[GAMMA] * (1.0 - share)
    scores[1] = 1.0 - scores[0]
    return 0


@cache
def score_bonus_kernel():
    """The kernel of that name."""
    return kernel(score_bonus)
