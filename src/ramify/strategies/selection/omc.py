"""Arms by their probability of being better than the best one.

``v`` is the value of an arm and ``v0`` the highest one. Chaslot et al. and Coulom mean the arm's mean
(``value="mean"``); Perick et al. 2012 print mean times visits (``value="total"``). Where deviations are zero, an arm
is as good as the best or never better.
"""

from math import erfc, exp, inf, sqrt
from typing import Literal

from ramify.core.numbers.draws import proportional

_TOTAL = 1
_ROOT2 = sqrt(2.0)


def omc(n, m, s, m_max, t_max, value: Literal["mean", "total"] = "mean"):
    """``N U / (n sum U), U = erfc((v0 - v) / (sqrt(2) s))``: Objective Monte Carlo, Chaslot et al. 2006.

    N and the sum are the same for all arms, so the index is U / n.
    """
    short = t_max - m * n if value == _TOTAL else m_max - m
    return _urgency(short, s) / n


def omc_stochastic(K, visits, means, deviations, rng, work, value: Literal["mean", "total"] = "mean"):
    """``chance U / sum U, U = erfc((v0 - v) / (sqrt(2) s))``: Objective Monte Carlo, Chaslot et al. 2006."""
    best = -inf
    for k in range(K):
        work[k] = means[k] * visits[k] if value == _TOTAL else means[k]
        best = max(best, work[k])
    for k in range(K):
        work[k] = _urgency(best - work[k], deviations[k])
    return proportional(rng, work, K)


def pbbm(K, visits, means, deviations, rng, work, value: Literal["mean", "total"] = "mean"):
    """``weight exp(-2.4 (v0 - v) / sqrt(2 (s0^2 + s^2)))``: probability to be better than the best, Coulom 2006.

    s0 is the deviation of the arm that has v0, the first one where several do.
    """
    best = 0
    for k in range(K):
        work[k] = means[k] * visits[k] if value == _TOTAL else means[k]
        if work[k] > work[best]:
            best = k
    top = work[best]
    variance = deviations[best] * deviations[best]
    for k in range(K):
        short = top - work[k]
        width = sqrt(2.0 * (variance + deviations[k] * deviations[k]))
        if width > 0.0:
            work[k] = exp(-2.4 * short / width)
        else:
            work[k] = 0.0 if short > 0.0 else 1.0
    return proportional(rng, work, K)


def _urgency(short, s):
    """``erfc(short / (sqrt(2) s))``, and its limit where s is zero."""
    if s > 0.0:
        return erfc(short / (_ROOT2 * s))
    return 0.0 if short > 0.0 else 1.0
