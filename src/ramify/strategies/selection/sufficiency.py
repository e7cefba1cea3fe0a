"""Sufficiency threshold: no exploration while a move is good enough (Gudmundsson and Björnsson 2013)."""

from math import erfc, inf, sqrt
from typing import Literal

from ramify.core.numbers.rng import uniform
from ramify.strategies.constants import NonNegative, Probability

# Indices into the statistics of `sufficiency_dynamic`.
_WINS, _WIN_SUM, _OTHERS, _OTHER_SUM, COUNT, MEAN, _SQUARES, _UNPLUGGED, _PLAYER = range(9)
# Words of its constants.
_BELOW = 1
_ALL = 1
_GAME = 1
_WON = 1.0  # the goal of 100 in GDL


def sufficiency(lnN, n, m, m_max, c: NonNegative = 0.4, alpha=0.6):
    """``ucb1(c), with c = 0 while the best mean is above alpha``: Gudmundsson and Björnsson 2013, equation 2."""
    if m_max > alpha:
        return m
    return m + c * sqrt(lnN / n)


def sufficiency_dynamic(
    lnN,
    n,
    m,
    root,
    memory,
    c: NonNegative = 0.7,
    floor: Probability = 0.1,
    orientation: Literal["above", "below"] = "above",
    nodes: Literal["root", "all"] = "root",
    training: Literal["search", "game"] = "search",
):
    """``ucb1(c), with c = 0 at the root in a share of simulations``: Gudmundsson and Björnsson 2013, 4.3.

    Simulations are divided into wins of the root's player and others by the game's own score: a win is 1 (a goal of
    100), whatever discount or bonus applies. With the mean rewards of the two groups,
    d = (n_other mean_win + n_win mean_other) / (n_other + n_win). After each simulation the difference a between the
    best root mean and d is recorded. From the mean and deviation of these differences, the normal probability of a
    value *above* a is the probability that the next simulation does not explore at the root, at most 1 - floor: the
    better the move looks, the more is explored.

    Other readings: ``orientation=below`` takes the other tail. ``nodes=all`` switches exploration off in the whole
    simulation, also where the opponent moves. ``training=game`` keeps the statistics from move to move of a game.
    """
    if memory[_UNPLUGGED] > 0.0 and (root or nodes == _ALL):
        return m
    return m + c * sqrt(lnN / n)


def sufficiency_dynamic_after(
    K, mover, visits, means, reward, raw, memory, game_memory, rng, floor, orientation, training
):
    """Classify the simulation, record the difference, and decide at random whether the next one explores."""
    known = game_memory if training == _GAME else memory
    if known[_PLAYER] != mover + 1.0:  # initially 0; or another player searches
        known[:] = 0.0
        known[_PLAYER] = mover + 1.0
    if raw >= _WON:
        known[_WINS] += 1.0
        known[_WIN_SUM] += reward
    else:
        known[_OTHERS] += 1.0
        known[_OTHER_SUM] += reward
    best = -inf
    for k in range(K):
        if visits[k] > 0.0:
            best = max(best, means[k])
    wins, others = known[_WINS], known[_OTHERS]
    memory[_UNPLUGGED] = 0.0
    if wins == 0.0 or others == 0.0:
        return
    d = (others * known[_WIN_SUM] / wins + wins * known[_OTHER_SUM] / others) / (wins + others)
    difference = best - d
    known[COUNT] += 1.0
    step = difference - known[MEAN]
    known[MEAN] += step / known[COUNT]
    known[_SQUARES] += step * (difference - known[MEAN])
    if known[_SQUARES] <= 0.0:
        return
    z = (difference - known[MEAN]) / sqrt(known[_SQUARES] / known[COUNT])
    tail = 0.5 * erfc((-z if orientation == _BELOW else z) / sqrt(2.0))
    if uniform(rng) < min(tail, 1.0 - floor):
        memory[_UNPLUGGED] = 1.0
