"""The random number generator: SplitMix64 (Steele, Lea and Flood 2014); identical compiled or not.

The state is an array of one ``uint64`` owned by the caller. There is no global state.
"""

import numpy as np

from ramify.core.kernels.compiling import jit

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32, _11 = (np.uint64(k) for k in (27, 30, 31, 32, 11))
_TO_UNIT = 2.0**-53


@jit
def mix(z):
    """Bijection of 64-bit words that scatters nearby values."""
    z = (z ^ (z >> _30)) * _MIX1
    z = (z ^ (z >> _27)) * _MIX2
    return z ^ (z >> _31)


@jit
def word(rng):
    """Draw 64 random bits."""
    rng[0] += GOLDEN
    return mix(rng[0])


@jit
def below(rng, n):
    """Draw an integer from 0 to n - 1; n < 2^31.

    The high 32 bits are scaled by n; the bias is at most n / 2^32.
    """
    return np.int64(((word(rng) >> _32) * np.uint64(n)) >> _32)


@jit
def uniform(rng):
    """Draw a float in [0, 1)."""
    return np.int64(word(rng) >> _11) * _TO_UNIT


@jit
def weighted(rng, weights, count):
    """Draw an index below ``count`` with probability ``weights[k]``; the weights sum to 1."""
    left = uniform(rng)
    for k in range(count - 1):
        left -= weights[k]
        if left < 0.0:
            return k
    return count - 1


def generator(seed, stream=0):
    """Return a new state for ``seed``. Different streams of one seed are independent."""
    state = np.zeros(1, np.uint64)
    with np.errstate(over="ignore"):
        state[0] = mix(mix(np.uint64(seed & 0xFFFFFFFFFFFFFFFF)) + np.uint64(stream) * GOLDEN)
    return state
