"""Sufficiency threshold: no exploration while a move is good enough (Gudmundsson and Björnsson 2013)."""

from math import erfc, inf, sqrt
from typing import Literal

from ramify.core.numbers.rng import uniform
from ramify.strategies.constants import NonNegative, Probability

# Indices into the memory of `sufficiency_dynamic`.
_WINS, _WIN_SUM, _OTHERS, _OTHER_SUM, _COUNT, _MEAN, _SQUARES, _UNPLUGGED = range(8)
_ABOVE = 1
_WON = 1.0  # the goal of 100 in GDL


def sufficiency(lnN, n, m, m_max, c: NonNegative = 0.4, alpha=0.6):
    """``ucb1(c), with c = 0 while the best mean is above alpha``: Gudmundsson and Björnsson 2013, equation 2."""
    if m_max > alpha:
        return m
    return m + c * sqrt(lnN / n)


def sufficiency_dynamic(
    lnN, n, m, memory, c: NonNegative = 0.7, floor: Probability = 0.1, orientation: Literal["below", "above"] = "below"
):
    """``ucb1(c), with c = 0 in a share of simulations, by a normal tail``: Gudmundsson and Björnsson 2013, 4.3.

    Simulations are divided into wins of the root's player and others by the game's own score: a win is 1 (a goal of
    100), whatever discount or bonus applies. With the mean rewards of the two groups,
    d = (n_other mean_win + n_win mean_other) / (n_other + n_win). After each simulation the difference a between the
    best root mean and d is recorded. From the mean and deviation of these differences, the normal probability of a
    value *below* a is the probability that the whole next simulation does not explore, at most 1 - floor. The paper's
    text takes the tail *above*, which explores more the better the move looks; docs/policies.md measures both.
    """
    if memory[_UNPLUGGED] > 0.0:
        return m
    return m + c * sqrt(lnN / n)


def sufficiency_dynamic_after(K, visits, means, reward, raw, memory, rng, floor, orientation):
    """Classify the simulation, record the difference, and decide at random whether the next one explores."""
    if raw >= _WON:
        memory[_WINS] += 1.0
        memory[_WIN_SUM] += reward
    else:
        memory[_OTHERS] += 1.0
        memory[_OTHER_SUM] += reward
    best = -inf
    for k in range(K):
        if visits[k] > 0.0:
            best = max(best, means[k])
    wins, others = memory[_WINS], memory[_OTHERS]
    memory[_UNPLUGGED] = 0.0
    if wins == 0.0 or others == 0.0:
        return
    d = (others * memory[_WIN_SUM] / wins + wins * memory[_OTHER_SUM] / others) / (wins + others)
    difference = best - d
    memory[_COUNT] += 1.0
    step = difference - memory[_MEAN]
    memory[_MEAN] += step / memory[_COUNT]
    memory[_SQUARES] += step * (difference - memory[_MEAN])
    if memory[_SQUARES] <= 0.0:
        return
    z = (difference - memory[_MEAN]) / sqrt(memory[_SQUARES] / memory[_COUNT])
    tail = 0.5 * erfc((z if orientation == _ABOVE else -z) / sqrt(2.0))
    if uniform(rng) < min(tail, 1.0 - floor):
        memory[_UNPLUGGED] = 1.0
