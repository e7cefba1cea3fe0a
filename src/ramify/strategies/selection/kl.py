"""Confidence bounds by Kullback-Leibler divergence."""

from math import exp, inf, log, sqrt

from ramify.core.draws import argmax

_CLOSE = 1e-12  # Newton's method stops at steps below this
_SLACK = 1.0 + 1e-9  # so that rounding never rules out an arm that ties
_ROUNDING = 1e-13
_LN2 = log(2.0)
_BELOW1 = 1.0 - 1e-9


def kl_ucb(lnN, K, visits, means, fpu, rng, work, c=0.0):
    """``max q: n kl(m, q) <= ln N + c ln ln N, kl of Bernoulli laws``: Garivier and Cappé 2011.

    c = 3 is what their proof needs, c = 0 what they recommend. Means outside [0, 1] are moved to its ends. The likely
    best arm is solved for first, any other only where its bound can reach the best so far: where kl(m, best) is not
    above what the arm is allowed. A series from below tells most of them without a logarithm.
    """
    budget = max(lnN + c * log(max(lnN, 1.0)), 0.0)
    lead = 0
    guess = -inf
    fresh = False
    for k in range(K):
        fresh |= visits[k] == 0.0
        mean = min(max(means[k], 0.0), 1.0)
        n = max(visits[k], 1.0)
        likely = mean + sqrt(2.0 * mean * (1.0 - mean) * budget / n)
        work[k] = n * _least_entropy(mean)
        if visits[k] > 0.0 and likely > guess:
            guess = likely
            lead = k
    if fresh and fpu > 1.0:  # no bound is above 1
        for k in range(K):
            work[k] = fpu if visits[k] == 0.0 else -inf
        return argmax(rng, work, K)
    best = _bound(means[lead], visits[lead], budget, fpu)
    work[lead] = best
    yes, no = _logarithms(best)
    for k in range(K):
        if k == lead:
            continue
        p = min(max(means[k], 0.0), 1.0)
        n = visits[k]
        if n > 0.0 and best > p and work[k] - n * (p * yes + (1.0 - p) * no) > budget * _SLACK + n * _ROUNDING:
            work[k] = -inf
            continue
        work[k] = _bound(means[k], n, budget, fpu)
        if work[k] > best:
            best = work[k]
            yes, no = _logarithms(best)
    return argmax(rng, work, K)


def _least_entropy(p):
    """Not above ``p ln p + (1 - p) ln(1 - p)``: the beginning of its series around 1/2, which has no negative term."""
    y = 4.0 * (p - 0.5) * (p - 0.5)
    return y * (0.5 + y * (1.0 / 12.0 + y * (1.0 / 30.0 + y * (1.0 / 56.0 + y / 90.0)))) - _LN2


def _logarithms(best):
    """``ln best`` and ``ln(1 - best)``, with the best kept away from 0 and 1, which rules out fewer arms, if any."""
    q = min(max(best, 1e-300), _BELOW1)
    return log(q), log(1.0 - q)


def _bound(mean, visits, budget, fpu):
    """The index of an arm."""
    if visits == 0.0:
        return fpu
    return _upper(min(max(mean, 0.0), 1.0), budget / visits)


def _divergence(p, q):
    """Kullback-Leibler divergence of a coin of chance p from one of chance q, 0 < q < 1."""
    left = p * log(p / q) if p > 0.0 else 0.0
    right = (1.0 - p) * log((1.0 - p) / (1.0 - q)) if p < 1.0 else 0.0
    return left + right


def _upper(p, allowed):
    """The largest q of divergence at most ``allowed`` from p, by Newton's method.

    The divergence is convex and increasing in q > p, so that a step from anywhere ends above the solution, and none
    from there overshoots. It is at least 2 (q - p)^2, and at least p ln p + (1 - p) ln((1 - p) / (1 - q)); no
    q is above the ``top`` that these give. The first guess is that of a small divergence, to second order.
    """
    if p >= 1.0 or allowed <= 0.0:
        return p
    top = p + sqrt(0.5 * allowed)
    if top > 0.9:
        certain = p * log(p) if p > 0.0 else 0.0
        top = min(top, 1.0 - (1.0 - p) * exp((certain - allowed) / (1.0 - p)))
        if top >= 1.0:
            return top
    guess = p + sqrt(2.0 * p * (1.0 - p) * allowed) + (1.0 - 2.0 * p) * allowed / 3.0
    q = min(max(guess, p + 0.5 * (top - p)), top)
    for _ in range(100):
        step = (_divergence(p, q) - allowed) * q * (1.0 - q) / (q - p)
        if abs(step) < _CLOSE:
            break
        q = min(max(q - step, p + 0.5 * (q - p)), top)
    return q
