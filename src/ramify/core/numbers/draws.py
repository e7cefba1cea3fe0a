"""Argmax with random ties, and draws from distributions; results are identical compiled or not."""

from math import exp, isnan, log, sqrt

import numpy as np

from ramify.core.kernels.compiling import jit, jit_without_refcounts
from ramify.core.kernels.pointers import records
from ramify.core.numbers.rng import GOLDEN, below, mix, uniform, word
from ramify.core.search.tree import NODE
from ramify.errors import BadChoiceError

# The ziggurat: 128 layers of equal area under the normal curve; the lowest includes the tail beyond _START.
_LAYERS = 128
_START = 3.442619855899
_AREA = 9.91256303526217e-3
_LOW, _11, _ONE = np.uint64(_LAYERS - 1), np.uint64(11), np.uint64(1)
_TO_SYMMETRIC = 2.0**-52
with np.errstate(over="ignore"):
    _TWICE, _WORDS_OF_BETA = GOLDEN * np.uint64(2), GOLDEN * np.uint64(3)
_32, _HALF, _TO_HALF = np.uint64(32), np.uint64(0xFFFFFFFF), 2.0**-32


def _edges():
    """Right edges of the layers, lowest first; the last is 0."""
    edges = [_AREA / exp(-0.5 * _START * _START), _START]
    while len(edges) < _LAYERS:
        edges.append(sqrt(-2.0 * log(_AREA / edges[-1] + exp(-0.5 * edges[-1] * edges[-1]))))
    return np.array([*edges, 0.0])


_EDGES = _edges()
_INNER = _EDGES[1:] / _EDGES[:-1]  # fraction of a layer that is under the curve at every height


@jit
def argmax(rng, values, count):
    """Return the index of the largest of ``count`` values. Ties are broken uniformly; without ties nothing is drawn.

    NaN values are skipped, except the first: if that is NaN, BadChoiceError is raised.
    """
    best = values[0]
    winner = 0
    equal = 0
    for k in range(1, count):
        value = values[k]
        equal |= value == best
        better = value > best
        winner = k if better else winner
        best = value if better else best
    if isnan(best):
        raise BadChoiceError
    if equal == 0:  # no ties: one pass is enough
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
def argmax_without_nan(rng, values, count):
    """``argmax``; raises BadChoiceError if any value is NaN."""
    for k in range(count):
        if isnan(values[k]):
            raise BadChoiceError
    return argmax(rng, values, count)


@jit
def unvisited(rng, children, count):
    """Return a uniformly drawn unvisited child, by rejection: for nodes most of whose children are unvisited."""
    arms = records(children, count, NODE)
    k = below(rng, count)
    while arms[k].visits > 0:
        k = below(rng, count)
    return k


@jit_without_refcounts
def proportional(rng, weights, count):
    """Draw an index below ``count`` in proportion to its weight. Weights are non-negative and need not sum to 1."""
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


@jit_without_refcounts
def normal(rng):
    """Draw from the standard normal distribution: the ziggurat of Marsaglia and Tsang in the version of Doornik 2005.

    One word gives the layer (low bits) and the position in it (high bits); 98.8 % of draws end there.
    """
    return _normal_from(rng, word(rng))


@jit_without_refcounts
def _normal_from(rng, bits):
    """``normal``, given the first word."""
    x, enough = _normal_of(bits)
    return x if enough else _normal_rest(rng, bits & _LOW, _place(bits))


@jit
def _normal_of(bits):
    """Return the normal draw of a word, and whether the word suffices."""
    layer = bits & _LOW
    place = _place(bits)
    return place * _EDGES[layer], abs(place) < _INNER[layer]


@jit
def _place(bits):
    """Position in a layer, in [-1, 1)."""
    return np.int64(bits >> _11) * _TO_SYMMETRIC - 1.0


@jit_without_refcounts
def _normal_rest(rng, layer, place):
    """Finish a draw whose first word did not suffice."""
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
        place = _place(bits)
    return place * _EDGES[layer]


@jit_without_refcounts
def _tail(rng):
    """Draw from the tail beyond _START: Marsaglia 1964."""
    while True:
        x = log(1.0 - uniform(rng)) / _START
        y = log(1.0 - uniform(rng))
        if -2.0 * y >= x * x:
            return _START - x


@jit_without_refcounts
def gamma(rng, shape):
    """Draw from the gamma distribution with scale 1 (Marsaglia and Tsang 2000); ``shape`` > 0."""
    boost = 1.0
    if shape < 1.0:
        boost = exp(log(1.0 - uniform(rng)) / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    return boost * _gamma(rng, d, sqrt(9.0 * d), normal(rng), uniform(rng))


@jit_without_refcounts
def _gamma(rng, d, root, x, w):
    """Gamma draw of shape d + 1/3, given a normal and a uniform draw; draws more on rejection.

    ``root`` is sqrt(9 d). Returns d v, v = (1 + x / root)^3, accepted if ln(1 - w) < x^2 / 2 + d (1 - v + ln v).
    """
    while True:
        v = 1.0 + x / root
        if v > 0.0:
            v = v * v * v
            if _surely(d, root, x, w) or log(1.0 - w) < 0.5 * x * x + d * (1.0 - v + log(v)):
                return d * v
        x = normal(rng)
        w = uniform(rng)


@jit
def _surely(d, root, x, w):
    """Whether a gamma draw is accepted without computing a logarithm.

    Either by the paper's bound, which holds for any d and accepts 9 of 10 draws, or by the series of the bound: with
    y = x / root it is -(x y)^2 / 12 for y > 0, and above 1.8 times that for y > -1/2.
    """
    fourth = x * x * (x * x)
    return (w > 0.0331 * fourth) | ((w * d > 0.15 / 9.0 * fourth) & (x > -0.5 * root))


@jit_without_refcounts
def beta(rng, a, b):
    """Draw from the beta distribution, by two gamma draws; ``a``, ``b`` > 0."""
    start = rng[0]
    rng[0] = start + _WORDS_OF_BETA
    quick = _quick_beta(start, a, b)
    return quick if quick >= 0.0 else _beta_from(rng, start, a, b)


@jit_without_refcounts
def betas(rng, a, b, out, count):
    """Draw a beta variate for each of ``count`` pairs of parameters, in half the time of single calls.

    Each pair first takes three words; those that need more draw them afterwards.
    """
    start = rng[0]
    for k in range(count):
        out[k] = _quick_beta(start + np.uint64(k) * _WORDS_OF_BETA, a[k], b[k])
    rng[0] = start + np.uint64(count) * _WORDS_OF_BETA
    for k in range(count):
        if out[k] < 0.0:
            out[k] = _beta_from(rng, start + np.uint64(k) * _WORDS_OF_BETA, a[k], b[k])


@jit
def _quick_beta(start, a, b):
    """Return the beta draw of the next three words of a generator, or -1 if they may not suffice.

    d (1 + x / r)^3 = (r + x)^3 / (9 r), so one division serves both gamma draws.
    """
    d, e = a - 1.0 / 3.0, b - 1.0 / 3.0
    r, s = sqrt(9.0 * max(d, 0.0)), sqrt(9.0 * max(e, 0.0))
    x, one = _normal_of(mix(start + GOLDEN))
    y, other = _normal_of(mix(start + _TWICE))
    p, q = r + x, s + y
    first, second = p * p * p * s, q * q * q * r
    ratio = first / (first + second)
    halves = mix(start + _WORDS_OF_BETA)
    sure = _surely(d, r, x, _half(halves >> _32)) & _surely(e, s, y, _half(halves & _HALF))
    return ratio if one & other & sure & (a >= 1.0) & (b >= 1.0) else -1.0


@jit
def _half(bits):
    """32 bits as the leading bits of a uniform number in [0, 1)."""
    return np.int64(bits) * _TO_HALF


@jit_without_refcounts
def _beta_from(rng, start, a, b):
    """Return the beta draw of these three words and as many more from the generator as needed."""
    if a < 1.0 or b < 1.0:
        return _small_beta(rng, a, b)
    d, e = a - 1.0 / 3.0, b - 1.0 / 3.0
    x, y = _normal_from(rng, mix(start + GOLDEN)), _normal_from(rng, mix(start + _TWICE))
    halves = mix(start + _WORDS_OF_BETA)  # leading bits of the two uniform draws; the lower bits are drawn below
    u, w = uniform(rng) * _TO_HALF + _half(halves >> _32), uniform(rng) * _TO_HALF + _half(halves & _HALF)
    first = _gamma(rng, d, sqrt(9.0 * d), x, u)
    second = _gamma(rng, e, sqrt(9.0 * e), y, w)
    return first / (first + second)


@jit_without_refcounts
def _small_beta(rng, a, b):
    """Beta draw if a parameter is below 1."""
    first, second = gamma(rng, a), gamma(rng, b)
    if first + second == 0.0:  # both underflow only if nearly all the mass is at 0 and 1
        return 1.0 if uniform(rng) * (a + b) < a else 0.0
    return first / (first + second)
