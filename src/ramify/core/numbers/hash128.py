"""A 128-bit hash of a position's bytes, as two 64-bit hashes.

The probability of a collision among n positions is n^2 / 2^129: 10^-21 for n = 10^9.
"""

import numpy as np

from ramify.core.kernels.compiling import jit
from ramify.core.kernels.pointers import array

_K1, _K2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_29, _32 = np.uint64(29), np.uint64(32)


@jit
def hash_words(address, count):
    """Hash ``count`` 8-byte words. The high bits of the first hash need mixing (``rng.mix``)."""
    first = _K2
    second = _K1
    words = array(address, count, np.uint64)
    for k in range(count):
        first = (first ^ words[k]) * _K1
        first ^= first >> _29
        second = (second + words[k]) * _K2
        second ^= second >> _32
    return first, second
