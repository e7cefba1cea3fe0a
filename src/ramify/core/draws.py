"""Choices and draws from distributions, on the generator of ``core.rng``: the same numbers compiled or not."""

from math import exp, log, sqrt

import numpy as np

from ramify.core.compiling import jit, lean
from ramify.core.pointers import records
from ramify.core.rng import below, uniform, word
from ramify.core.tree import NODE

# The ziggurat: 128 layers of one area under the normal curve, the lowest one with the tail beyond _START.
_LAYERS = 128
_START = 3.442619855899
_AREA = 9.91256303526217e-3
_LOW, _11, _ONE = np.uint64(_LAYERS - 1), np.uint64(11), np.uint64(1)
_TO_SYMMETRIC = 2.0**-52


def _edges():
    """Right ends of the layers, from the lowest; the last is 0."""
    edges = [_AREA / exp(-0.5 * _START * _START), _START]
    while len(edges) < _LAYERS:
        edges.append(sqrt(-2.0 * log(_AREA / edges[-1] + exp(-0.5 * edges[-1] * edges[-1]))))
    return np.array([*edges, 0.0])


_EDGES = _edges()
_INNER = _EDGES[1:] / _EDGES[:-1]  # the share of a layer that lies under the curve at all heights


@jit
def argmax(rng, values, count):
    """The place of the largest of ``count`` values; equal ones are decided by an even draw, and only then is drawn."""
    best = values[0]
    winner = 0
    equal = 0
    for k in range(1, count):
        value = values[k]
        equal |= value == best
        better = value > best
        winner = k if better else winner
        best = value if better else best
    if equal == 0:  # one pass is enough where no two are equal
        return winner
    ties = 0
    for k in range(count):
        ties += values[k] == best
    if ties == 1:
        return winner
    chosen = below(rng, ties)
    k = 0
    while chosen > 0 or values[k] != best:
        chosen -= values[k] == best
        k += 1
    return k


@jit
def unvisited(rng, children, count):
    """A child that has not been visited, all equally likely, where most have not: without a look at all of them."""
    arms = records(children, count, NODE)
    k = below(rng, count)
    while arms[k].visits > 0:
        k = below(rng, count)
    return k


@lean
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


@lean
def normal(rng):
    """A draw from the standard normal distribution: the ziggurat of Marsaglia and Tsang as Doornik 2005 has it.

    One word gives the layer (its low bits) and the place in it (its high bits); 98.8 draws of 100 end there.
    """
    bits = word(rng)
    layer = bits & _LOW
    place = np.int64(bits >> _11) * _TO_SYMMETRIC - 1.0
    if abs(place) < _INNER[layer]:
        return place * _EDGES[layer]
    return _normal_rest(rng, layer, place)


@lean
def _normal_rest(rng, layer, place):
    """Go on where a draw does not surely lie under the curve."""
    while abs(place) >= _INNER[layer]:
        if layer == 0:
            return _tail(rng) if place > 0.0 else -_tail(rng)
        x = place * _EDGES[layer]
        high = exp(-0.5 * (_EDGES[layer] * _EDGES[layer] - x * x))
        low = exp(-0.5 * (_EDGES[layer + _ONE] * _EDGES[layer + _ONE] - x * x))
        if low + uniform(rng) * (high - low) < 1.0:
            return x
        bits = word(rng)
        layer = bits & _LOW
        place = np.int64(bits >> _11) * _TO_SYMMETRIC - 1.0
    return place * _EDGES[layer]


@lean
def _tail(rng):
    """A normal draw beyond the lowest layer: Marsaglia 1964."""
    while True:
        x = log(1.0 - uniform(rng)) / _START
        y = log(1.0 - uniform(rng))
        if -2.0 * y >= x * x:
            return _START - x


@lean
def gamma(rng, shape):
    """A draw from the gamma distribution of scale 1: Marsaglia and Tsang 2000; ``shape`` is above 0."""
    boost = 1.0
    if shape < 1.0:
        boost = exp(log(1.0 - uniform(rng)) / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / sqrt(9.0 * d)
    return boost * _gamma(rng, d, c, normal(rng), 1.0 - uniform(rng))


@lean
def _gamma(rng, d, c, x, u):
    """A gamma draw of shape d + 1/3, from a normal draw and a uniform one, and more if these are rejected."""
    while True:
        v = 1.0 + c * x
        if v > 0.0:
            v = v * v * v
            if _surely(x, u) or log(u) < 0.5 * x * x + d * (1.0 - v + log(v)):
                return d * v
        x = normal(rng)
        u = 1.0 - uniform(rng)


@lean
def _surely(x, u):
    """Whether a gamma draw is accepted without a logarithm: 9 of 10 are."""
    return u < 1.0 - 0.0331 * (x * x) * (x * x)


@lean
def beta(rng, a, b):
    """A draw from the beta distribution, of two gamma draws; ``a`` and ``b`` are above 0."""
    if a < 1.0 or b < 1.0:
        return _small_beta(rng, a, b)
    # The quick path of both gamma draws, here so that it is compiled in place: 30 ns instead of 50.
    d, e = a - 1.0 / 3.0, b - 1.0 / 3.0
    c, f = 1.0 / sqrt(9.0 * d), 1.0 / sqrt(9.0 * e)
    x, u = normal(rng), 1.0 - uniform(rng)
    y, w = normal(rng), 1.0 - uniform(rng)
    p, q = 1.0 + c * x, 1.0 + f * y
    first = d * (p * p * p) if p > 0.0 and _surely(x, u) else _gamma(rng, d, c, x, u)
    second = e * (q * q * q) if q > 0.0 and _surely(y, w) else _gamma(rng, e, f, y, w)
    return first / (first + second)


@lean
def _small_beta(rng, a, b):
    """A beta draw where a parameter is below 1."""
    first, second = gamma(rng, a), gamma(rng, b)
    if first + second == 0.0:  # both underflow only where the distribution is all but 0 and 1
        return 1.0 if uniform(rng) * (a + b) < a else 0.0
    return first / (first + second)
