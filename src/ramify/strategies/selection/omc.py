"""Policies that select arms by their probability of being better than the best one.

``v`` is the value of an arm and ``v0`` the highest one. Chaslot et al. and Coulom use the arm's mean
(``value="mean"``); Perick et al. 2012 print mean times visits (``value="total"``).

``s`` is the standard deviation of an arm's rewards, as Perick et al. print it. It is 0 after one playout, or several
with the same result. The arm then counts as equal to the best or as never better: an arm that lost its first playout is
not selected again while there is a better one. With ``floor`` it is Coulom's, ``sqrt((n s^2 + 1) / (n + 1))``, as if
there had been one more playout, the width of the range away from the mean.
"""

from math import erfc, exp, inf, sqrt
from typing import Literal

from ramify.core.numbers.draws import proportional

_TOTAL = 1
_ROOT2 = sqrt(2.0)


def omc(n, m, s, m_max, t_max, value: Literal["mean", "total"] = "mean", floor=False):
    """``N U / (n sum U), U = erfc((v0 - v) / (sqrt(2) s))``: Objective Monte Carlo, Chaslot et al. 2006.

    N and the sum are the same for all arms, so the index is U / n. With ``floor`` s is Coulom's, never 0. Without it,
    as Perick et al. 2012 print it, an arm that lost its first playout is not selected again while there is a better
    one.
    """
    short = t_max - m * n if value == _TOTAL else m_max - m
    return _urgency(short, _floored(s, n) if floor else s) / n


def omc_stochastic(K, visits, means, deviations, rng, work, value: Literal["mean", "total"] = "mean", floor=False):
    """``probability U / sum U, U = erfc((v0 - v) / (sqrt(2) s))``: Objective Monte Carlo, Chaslot et al. 2006.

    With ``floor`` s is Coulom's, never 0. Without it, as Perick et al. 2012 print it, an arm that lost its first
    playout is not selected again while there is a better one.
    """
    best = -inf
    for k in range(K):
        work[k] = means[k] * visits[k] if value == _TOTAL else means[k]
        best = max(best, work[k])
    for k in range(K):
        work[k] = _urgency(best - work[k], _floored(deviations[k], visits[k]) if floor else deviations[k])
    return proportional(rng, work, K)


def pbbm(K, visits, means, deviations, rng, work, value: Literal["mean", "total"] = "mean", floor=False):
    """``weight exp(-2.4 (v0 - v) / sqrt(2 (s0^2 + s^2)))``: probability to be better than the best, Coulom 2006.

    s0 is the deviation of the arm with value v0, the first of several. With ``floor`` deviations are Coulom's, never 0;
    without it they are those of Perick et al. 2012.
    """
    best = 0
    for k in range(K):
        work[k] = means[k] * visits[k] if value == _TOTAL else means[k]
        if work[k] > work[best]:
            best = k
    top = work[best]
    s0 = _floored(deviations[best], visits[best]) if floor else deviations[best]
    for k in range(K):
        short = top - work[k]
        s = _floored(deviations[k], visits[k]) if floor else deviations[k]
        width = sqrt(2.0 * (s0 * s0 + s * s))
        if width > 0.0:
            work[k] = exp(-2.4 * short / width)
        else:
            work[k] = 0.0 if short > 0.0 else 1.0
    return proportional(rng, work, K)


def _urgency(short, s):
    """Return ``erfc(short / (sqrt(2) s))``, or its limit if s is 0."""
    if s > 0.0:
        return erfc(short / (_ROOT2 * s))
    return 0.0 if short > 0.0 else 1.0


def _floored(s, n):
    """Return Coulom's deviation: of n playouts and one more, 1 away from their mean."""
    return sqrt((n * s * s + 1.0) / (n + 1.0))
