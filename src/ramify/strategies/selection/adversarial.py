"""Policies for rewards that somebody may choose against us: each draws its arm from a mixed strategy."""

from math import exp, isnan
from typing import Annotated

from ramify.core.numbers.draws import proportional
from ramify.strategies.constants import Fraction, ValueRange


def exp3(K, weights, chances, rng, work, g: Fraction = 0.5, eta: Annotated[float | None, ValueRange(0.0)] = None):
    """``p = (1 - g) softmax(eta w) + g / K; w += reward / p for the arm taken``: Auer et al. 1995.

    eta = g / K unless given. Tuned for Tron by Perick et al. 2012: g = 0.36. The largest weight is subtracted before
    the exponential, so that nothing overflows. The average strategy is that of p without its share of exploration.
    """
    rate = g / K if isnan(eta) else eta
    top = weights[0]
    for k in range(1, K):
        top = max(top, weights[k])
    total = 0.0
    for k in range(K):
        work[k] = exp(rate * (weights[k] - top))
        total += work[k]
    for k in range(K):
        work[k] = (1.0 - g) * work[k] / total + g / K
    taken = proportional(rng, work, K)
    chances[taken] = work[taken]
    return taken


def exp3_update(k, reward, weights, chances):
    """Credit the arm taken with its reward over the chance it had."""
    weights[k] += reward / chances[k]


def exp3_average(K, weights, work, average, g, eta):
    """Add up the strategy that the arm was drawn from."""
    rate = g / K if isnan(eta) else eta
    top = weights[0]
    for k in range(1, K):
        top = max(top, weights[k])
    total = 0.0
    for k in range(K):
        work[k] = exp(rate * (weights[k] - top))
        total += work[k]
    for k in range(K):
        average[k] += work[k] / total


def regret_matching(K, visits, regrets, rng, work, g: Fraction = 0.1):
    """``p = (1 - g) R+ / sum R+ + g / K; R += m - reward for all arms``: Hart and Mas-Colell 2000.

    In trees Lanctot, Lisý and Winands 2013. R+ is the positive part of an arm's regret; without any, p is even. What an
    arm not taken would have paid is unknown and its mean so far stands for it: where everybody moves at once, its mean
    against the moves that the others made. (``visits`` is asked for so that every arm is tried once first.)
    """
    total = 0.0
    for k in range(K):
        total += max(regrets[k], 0.0)
    for k in range(K):
        share = max(regrets[k], 0.0) / total if total > 0.0 else 1.0 / K
        work[k] = (1.0 - g) * share + g / K
    return proportional(rng, work, K)


def regret_matching_average(K, regrets, average):
    """Add up the strategy that the arm was drawn from, without its share of exploration."""
    total = 0.0
    for k in range(K):
        total += max(regrets[k], 0.0)
    for k in range(K):
        average[k] += max(regrets[k], 0.0) / total if total > 0.0 else 1.0 / K


def regret_matching_update(K, k, reward, visits_met, means_met, regrets):
    """Add to each arm's regret what its mean was better than the reward; that of the arm taken is what it paid."""
    for j in range(K):
        if visits_met[j] > 0.0 and j != k:
            regrets[j] += means_met[j] - reward
