"""Choices and draws from distributions, on the generator of ``core.rng``: the same numbers compiled or not."""

from math import exp, log, sqrt

from ramify.core.compiling import jit
from ramify.core.rng import below, uniform


@jit
def argmax(rng, values, count):
    """The place of the largest of ``count`` values; equal ones are decided by an even draw, and only then is drawn."""
    best = values[0]
    winner = 0
    ties = 1
    for k in range(1, count):
        if values[k] > best:
            best = values[k]
            winner = k
            ties = 1
        elif values[k] == best:
            ties += 1
    if ties == 1:
        return winner
    chosen = below(rng, ties)
    for k in range(winner, count):
        if values[k] == best:
            if chosen == 0:
                return k
            chosen -= 1
    return winner


@jit
def proportional(rng, weights, count):
    """A place below ``count``, each as likely as its weight; weights are not negative and need not add up to 1."""
    total = 0.0
    for k in range(count):
        total += weights[k]
    left = uniform(rng) * total
    last = 0
    for k in range(count):
        if weights[k] > 0.0:
            last = k
            left -= weights[k]
            if left < 0.0:
                return k
    return last


@jit
def normal(rng):
    """A draw from the standard normal distribution: Marsaglia's polar method; the second number is not kept."""
    while True:
        x = 2.0 * uniform(rng) - 1.0
        y = 2.0 * uniform(rng) - 1.0
        square = x * x + y * y
        if 0.0 < square < 1.0:
            return x * sqrt(-2.0 * log(square) / square)


@jit
def gamma(rng, shape):
    """A draw from the gamma distribution of scale 1: Marsaglia and Tsang 2000; ``shape`` is above 0."""
    boost = 1.0
    if shape < 1.0:
        boost = exp(log(1.0 - uniform(rng)) / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / sqrt(9.0 * d)
    while True:
        x = normal(rng)
        v = 1.0 + c * x
        if v <= 0.0:
            continue
        v = v * v * v
        u = 1.0 - uniform(rng)
        square = x * x
        if u < 1.0 - 0.0331 * square * square or log(u) < 0.5 * square + d * (1.0 - v + log(v)):
            return boost * d * v


@jit
def beta(rng, a, b):
    """A draw from the beta distribution; ``a`` and ``b`` are above 0."""
    x = gamma(rng, a)
    y = gamma(rng, b)
    if x + y == 0.0:  # both underflow only where the distribution is all but 0 and 1
        return 1.0 if uniform(rng) * (a + b) < a else 0.0
    return x / (x + y)
