"""Policies as users may write them, for test_lanes."""

import math
from math import sqrt

import numpy as np

from ramify.core.vector.lanes import anywhere, where

TABLE = np.array([0.0, 1.0, 2.0])
HALF = 0.5


def formula(lnN, n, m, c=1.0):
    return -HALF + max(m, 0.1) + c * sqrt(lnN / n)


def compared(n, m, c=1.0):
    return m + (n < 4.0) * c


def of_three(n, m, c=1.0):
    return max(m, c / n, 0.2)


def added(n, m, c=1.0):
    m += c / n
    return m


def tabled(n, m, c=1.0):
    return m + TABLE[2] * c / n


def the_same(n, c=1.0):
    return c


def by_number(N, K, n, m, c=1.0):
    if N > 1e9:
        return m
    if c > 0.5:  # noqa: SIM108
        bonus = c / (n + K)
    else:
        bonus = c / n
    bonus *= 2.0
    return m + (bonus if K > 0.0 else m)


def by_arm(n, m, c=1.0):
    return where(n > 4.0, m, c) + where(c > 0.5, 1.0, n)


def if_anywhere(n, m, c=1.0):
    if anywhere(n <= 4.0):
        return where(n <= 4.0, m + c, m)
    return m


def if_here(n, m, c=1.0):
    if n > 4.0:
        return m
    return c


def powers(n, m, c=1.0):
    return m + n**-c + n**0.5


def whole_powers(n, m, c=1.0):
    return m + n**2


def logarithms(N, lnN, K, lnK, n, lnn, m):
    return m + lnN - lnK - lnn + math.log(K)


def largest_of(n, m, m_max, t_max):
    return m / m_max + m * n / t_max


def remembers(n, m, memory, c=1.0):
    return m + c * (memory[3] + 1.0) / n


def kept(n, m, seen, gained, c=1.0):
    return m + c + seen + 2.0 * gained


def kept_update(k, reward, seen, gained):
    seen[k] += 1.0
    gained[k] += reward


def assigned_once(n, m, c=1.0):
    if c < 0.5:  # noqa: SIM108
        extra = m
    else:
        extra = 0.25
    return m + extra


def another_kind(N, n, m, c=1.0):
    extra = 1
    if N > 0.5:
        extra = m  # noqa: F841
    return m + c


def by_helper(n, m, c=1.0):
    return _helper(n, m)


def _helper(n, m):
    return m + 1.0 / n


def with_loop(n, m, c=1.0):
    for _ in range(3):
        m = m / 2.0
    return m


def own_urgency(n, m, s, fpu=0.5):
    return m + s + 1.0 / (1.0 + n)


def asks_for_urgency(n, m, s, fpu):
    return m + s + 1.0 / (1.0 + n)


def broken(n, m):
    return m + "a"


def filled(lnN, K, visits, means, indices, c=1.0):
    for k in range(K):
        indices[k] = means[k] + c * sqrt(lnN / max(visits[k], 1.0))
