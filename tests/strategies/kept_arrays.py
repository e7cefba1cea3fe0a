"""Policies that keep an array per arm, for test_kept_arrays and test_plain_arrays."""

from math import sqrt

from ramify.strategies.constants import Positive
from ramify.strategies.policy.kept import Numbers


def recent(lnN, n, m, h: Numbers[4], c: Positive = 0.5):
    """The mean of the last four rewards, mixed with that of all; an index of one arm."""
    total = 0.0
    count = min(int(n), 4)
    for i in range(count):
        total += h[i]
    return 0.5 * m + 0.5 * total / count + c * sqrt(lnN / n)


def recent_update(k, reward, visits, h: Numbers[4]):
    h[k, (int(visits[k]) - 1) % 4] = reward


def steepest(K, visits, h, before, work):
    """A choice among all: the largest sum of an arm's numbers, each time a little of them forgotten."""
    best = 0
    for k in range(K):
        work[k] = before[k] + h[k].sum() / visits[k]
        h[k, 2] *= 0.5
        if work[k] > work[best]:
            best = k
    return best


def steepest_update(k, reward, h: Numbers[3], before, own_h: Numbers[3]):
    own_h[0] += 1.0
    h[k, 0] += reward
    h[k][1] += 1.0
    h[k, 2] = own_h[0]
    before[k] = reward


def filled(K, means, indices, h, seen_each):
    """All indices at once, with an array, a number per player, and both in the same policy."""
    for k in range(K):
        indices[k] = means[k] + h[k, 1] / (1.0 + h[k, 0]) + 0.1 * seen_each[0, k]


def filled_update(K, k, reward, rng, seen_each, h: Numbers[2]):
    h[k, 0] += 1.0
    h[k, 1] += reward
    for j in range(K):
        seen_each[0, j] *= 0.5
