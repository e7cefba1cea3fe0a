"""Policies for adversarial rewards: each samples its arm from a mixed strategy."""

from math import exp, isnan
from typing import Annotated

from ramify.core.numbers.draws import proportional
from ramify.strategies.constants import Fraction, ValueRange


def exp3(K, weights, probabilities, rng, work, g: Fraction = 0.5, eta: Annotated[float | None, ValueRange(0.0)] = None):
    """``p = (1 - g) softmax(eta w) + g / K; w += reward / p for the arm taken``: Auer et al. 1995.

    By default eta = g / K. Tuned for Tron by Perick et al. 2012: g = 0.36. The largest weight is subtracted before the
    exponential, so nothing overflows. The average strategy is p without exploration.
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
    probabilities[taken] = work[taken]
    return taken


def exp3_update(k, reward, weights, probabilities):
    """Credit the selected arm with its reward divided by its probability."""
    weights[k] += reward / probabilities[k]


def exp3_average(K, weights, work, average, g, eta):
    """Accumulate the strategy that the arm was sampled from, without exploration."""
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

    In trees Lanctot, Lisý and Winands 2013. R+ is the positive part of an arm's regret; if all are 0, p is uniform. The
    reward of an arm that was not selected is unknown, so its mean m is used: with simultaneous moves, its mean against
    the moves that the others played. (Asking for ``visits`` makes sure that every arm is visited once first.)
    """
    total = 0.0
    for k in range(K):
        total += max(regrets[k], 0.0)
    for k in range(K):
        share = max(regrets[k], 0.0) / total if total > 0.0 else 1.0 / K
        work[k] = (1.0 - g) * share + g / K
    return proportional(rng, work, K)


def regret_matching_average(K, regrets, average):
    """Accumulate the strategy that the arm was sampled from, without exploration."""
    total = 0.0
    for k in range(K):
        total += max(regrets[k], 0.0)
    for k in range(K):
        average[k] += max(regrets[k], 0.0) / total if total > 0.0 else 1.0 / K


def regret_matching_update(K, k, reward, visits_met, means_met, regrets):
    """Add ``mean - reward`` to the regret of every visited arm except the selected one, for which it is 0."""
    for j in range(K):
        if visits_met[j] > 0.0 and j != k:
            regrets[j] += means_met[j] - reward
