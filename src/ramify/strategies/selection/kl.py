"""Confidence bounds by Kullback-Leibler divergence."""

from math import exp, inf, log, sqrt

from ramify.core.draws import argmax

_CLOSE = 1e-12  # Newton's method stops at steps below this
_SLACK = 1.0 + 1e-9  # so that rounding never rules out an arm that ties


def kl_ucb(N, K, visits, means, fpu, rng, work, c=0.0):
    """``max q: n kl(m, q) <= ln N + c ln ln N, kl of Bernoulli laws``: Garivier and Cappé 2011.

    c = 3 is what their proof needs, c = 0 what they recommend. Means outside [0, 1] are moved to its ends. The likely
    best arm is solved for first, any other only where its bound can reach the best so far: Pinsker's inequality gives
    q <= m + sqrt(budget / 2n), and kl(m, best) tells on which side of it q lies.
    """
    logarithm = log(N)
    budget = max(logarithm + c * log(max(logarithm, 1.0)), 0.0)
    lead = 0
    guess = -inf
    for k in range(K):
        mean = min(max(means[k], 0.0), 1.0)
        likely = mean + sqrt(2.0 * mean * (1.0 - mean) * budget / max(visits[k], 1.0))
        if visits[k] > 0.0 and likely > guess:
            guess = likely
            lead = k
    best = _bound(means[lead], visits[lead], budget, -inf, fpu)
    work[lead] = best
    for k in range(K):
        if k != lead:
            work[k] = _bound(means[k], visits[k], budget, best, fpu)
            best = max(best, work[k])
    return argmax(rng, work, K)


def _bound(mean, visits, budget, best, fpu):
    """The index of an arm, or minus infinity where it is below ``best``."""
    if visits == 0.0:
        return fpu
    p = min(max(mean, 0.0), 1.0)
    allowed = budget / visits
    if best > p:
        if p + sqrt(0.5 * allowed) < best or best > 1.0:
            return -inf
        if best < 1.0 and _divergence(p, best) > allowed * _SLACK:
            return -inf
    return _upper(p, allowed)


def _divergence(p, q):
    """Kullback-Leibler divergence of a coin of chance p from one of chance q, 0 < q < 1."""
    left = p * log(p / q) if p > 0.0 else 0.0
    right = (1.0 - p) * log((1.0 - p) / (1.0 - q)) if p < 1.0 else 0.0
    return left + right


def _upper(p, allowed):
    """The largest q of divergence at most ``allowed`` from p, by Newton's method from above, where it cannot overshoot.

    The divergence is convex and increasing in q > p; it is at least 2 (q - p)^2, and at least
    p ln p + (1 - p) ln((1 - p) / (1 - q)).
    """
    if p >= 1.0 or allowed <= 0.0:
        return p
    q = p + sqrt(0.5 * allowed)
    if q > 0.9:
        certain = p * log(p) if p > 0.0 else 0.0
        q = min(q, 1.0 - (1.0 - p) * exp((certain - allowed) / (1.0 - p)))
        if q >= 1.0:
            return q
    for _ in range(100):
        step = (_divergence(p, q) - allowed) * q * (1.0 - q) / (q - p)
        if step < _CLOSE:
            break
        q = max(q - step, p + 0.5 * (q - p))
    return q
