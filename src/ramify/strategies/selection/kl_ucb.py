"""Confidence bounds by Kullback-Leibler divergence."""

from math import exp, inf, log, sqrt

from ramify.strategies.constants import NonNegative

_CLOSE = 1e-4  # relative step size at which to stop; convergence is cubic, so the error is about its third power
_SLACK = 1.0 + 1e-9  # so that rounding never rules out a tied arm
_ROUNDING = 1e-13
_LN2 = log(2.0)
_TWO_THIRDS = 2.0 / 3.0
_BELOW1 = 1.0 - 1e-9


def kl_ucb(lnN, K, visits, means, indices, c: NonNegative = 0.0):
    """``max q: n kl(m, q) <= ln N + c ln ln N, kl of Bernoulli distributions``: Garivier and Cappé 2011.

    Their proof needs c = 3; they recommend c = 0. Means are clipped to [0, 1]. The bound of the likely best arm is
    computed first. Another arm's bound is computed only if it can reach the best so far, i.e. if kl(m, best) is within
    the arm's budget; otherwise its index is -inf. A series that underestimates kl decides this without a logarithm.
    """
    budget = max(lnN + c * log(max(lnN, 1.0)), 0.0)
    for k in range(K):
        means[k] = min(max(means[k], 0.0), 1.0)
        visits[k] = max(visits[k], 1.0)
    # The bounds of all arms are similar: near any of them, the arm that needs the least budget is probably the best.
    near = _guess(means[0], budget / visits[0])
    yes, no = _logarithms(near)
    for k in range(K):
        indices[k] = _needs(means[k], visits[k], yes, no) if near > means[k] else -inf
    lead = 0
    least = inf
    for k in range(K):
        less = indices[k] < least
        least = indices[k] if less else least
        lead = k if less else lead
    best = _upper(means[lead], budget / visits[lead])
    yes, no = _logarithms(best)
    limit = budget * _SLACK
    for k in range(K):
        out = best > means[k] and _needs(means[k], visits[k], yes, no) > limit
        indices[k] = -inf if out else inf
    for k in range(K):
        p, n = means[k], visits[k]
        if indices[k] == -inf:
            continue
        if p == means[lead] and n == visits[lead]:
            indices[k] = best
        elif best > p and _needs(p, n, yes, no) > limit:
            indices[k] = -inf
        else:
            indices[k] = _upper(p, budget / n)
            if indices[k] > best:
                best = indices[k]
                lead = k
                yes, no = _logarithms(best)


def _needs(p, n, yes, no):
    """Return a lower bound of ``n kl(p, q)``; ``yes`` and ``no`` are the logarithms of q and 1 - q."""
    return n * (_least_entropy(p) - p * yes - (1.0 - p) * no - _ROUNDING)


def _least_entropy(p):
    """Return a lower bound of ``p ln p + (1 - p) ln(1 - p)``: the first terms of its series around 1/2, all >= 0."""
    y = 4.0 * (p - 0.5) * (p - 0.5)
    return y * (0.5 + y * (1.0 / 12.0 + y * (1.0 / 30.0 + y * (1.0 / 56.0 + y / 90.0)))) - _LN2


def _logarithms(bound):
    """Return ``ln q`` and ``ln(1 - q)`` of a bound kept away from 0 and 1, which can only rule out fewer arms."""
    q = min(max(bound, 1e-300), _BELOW1)
    return log(q), log(1.0 - q)


def _guess(p, allowed):
    """Return the q at which ``(q - p)^2 / (2 v) = allowed``; v is the variance of a coin two thirds of the way to q.

    This approximates the divergence to second order.
    """
    slant = _TWO_THIRDS * (1.0 - 2.0 * p) * allowed
    scale = 1.0 + 2.0 * _TWO_THIRDS * _TWO_THIRDS * allowed
    return p + (slant + sqrt(slant * slant + 2.0 * p * (1.0 - p) * allowed * scale)) / scale


def _divergence(p, q):
    """Return the Kullback-Leibler divergence of Bernoulli(p) from Bernoulli(q), 0 < q < 1."""
    left = p * log(p / q) if p > 0.0 else 0.0
    right = (1.0 - p) * log((1.0 - p) / (1.0 - q)) if p < 1.0 else 0.0
    return left + right


def _upper(p, allowed):
    """Return the largest q with divergence at most ``allowed`` from p, by Halley's method; usually two or three steps.

    The divergence is convex and increasing in q > p. It is at least 2 (q - p)^2 and at least
    p ln p + (1 - p) ln((1 - p) / (1 - q)); these give the upper limit ``top``.
    """
    if p >= 1.0 or allowed <= 0.0:
        return p
    top = p + sqrt(0.5 * allowed)
    if top > 0.9:
        certain = p * log(p) if p > 0.0 else 0.0
        top = min(top, 1.0 - (1.0 - p) * exp((certain - allowed) / (1.0 - p)))
        if top >= 1.0:
            return top
    q = min(max(_guess(p, allowed), p + 0.5 * (top - p)), top)
    for _ in range(100):
        gap = q - p
        excess = _divergence(p, q) - allowed
        bend = 0.5 * (p * (1.0 - q) * (1.0 - q) + (1.0 - p) * q * q)
        step = excess * q * (1.0 - q) * gap / max(gap * gap - excess * bend, 0.5 * gap * gap)
        q = min(max(q - step, p + 0.5 * gap), top)
        if abs(step) < _CLOSE * min(gap, 1.0 - q):
            break
    return q
