"""Operations on 64-bit words, for bitboards."""

import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features, get_host_cpu_name
from numba import types
from numba.extending import intrinsic, overload

from ramify.core.kernels.compiling import HELPER, INLINED, jit
from ramify.core.kernels.numba_internals import outer_function

# pdep finds the n-th bit in one step; it is slow on Zen 1 and 2.
FAST_DEPOSIT = get_host_cpu_features().get("bmi2", False) and get_host_cpu_name() not in ("znver1", "znver2")

ONE = np.uint64(1)
ZERO = np.uint64(0)
FULL = np.uint64(0xFFFFFFFFFFFFFFFF)


def popcount(word):
    """Number of set bits."""
    return int(word).bit_count()


def lowest(word):
    """Position of the lowest set bit; the word must not be 0."""
    word = int(word)
    return (word & -word).bit_length() - 1


@intrinsic
def _popcount(typingctx, word):
    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@intrinsic
def _lowest(typingctx, word):
    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


@overload(popcount, jit_options=HELPER)
def _popcount_compiled(word):
    return lambda word: _popcount(word)


@overload(lowest, jit_options=HELPER)
def _lowest_compiled(word):
    return lambda word: _lowest(word)


@jit
def bit(position):
    """Word with only this bit set."""
    return ONE << np.uint64(position)


@jit
def has(word, position):
    return (word >> np.uint64(position)) & ONE != ZERO


@jit
def without_lowest(word):
    """Word with its lowest set bit cleared."""
    return word & (word - ONE)


def nth_bit(word, n):
    """Word with only the n-th set bit, counted from 0 at the low end; 0 if none. -32 <= n < 64, at most 32 bits set."""
    return bit(nth_by_bisection(word, n)) if 0 <= n < popcount(word) else ZERO


@intrinsic
def _deposit(typingctx, bits, mask):
    def generate(context, builder, signature, arguments):
        kind = ir.FunctionType(ir.IntType(64), [ir.IntType(64)] * 2)
        function = outer_function(builder.module, kind, "llvm.x86.bmi.pdep.64")
        return builder.call(function, arguments)

    return types.uint64(types.uint64, types.uint64), generate


@overload(nth_bit, jit_options=INLINED)
def _nth_bit_compiled(word, n):
    if FAST_DEPOSIT:
        return lambda word, n: _deposit(ONE << np.uint64(n & 63), word)
    return lambda word, n: bit(nth_by_bisection(word, n)) if 0 <= n < popcount(word) else ZERO


def nth(word, n):
    """Position of the n-th set bit, counted from 0 at the low end; n must be below popcount(word)."""
    return nth_by_bisection(word, n)


@overload(nth, jit_options=INLINED)
def _nth_compiled(word, n):
    if FAST_DEPOSIT:
        return lambda word, n: _lowest(_deposit(ONE << np.uint64(n), word))
    return lambda word, n: nth_by_bisection(word, n)


@jit
def nth_by_bisection(word, n):
    """``nth`` by binary search over the popcounts of halves: constant time, while clearing bits takes n steps."""
    position = 0
    rest = word
    low = popcount(rest & np.uint64(0xFFFFFFFF))
    if n >= low:
        n -= low
        rest >>= np.uint64(32)
        position = 32
    low = popcount(rest & np.uint64(0xFFFF))
    if n >= low:
        n -= low
        rest >>= np.uint64(16)
        position += 16
    low = popcount(rest & np.uint64(0xFF))
    if n >= low:
        n -= low
        rest >>= np.uint64(8)
        position += 8
    rest &= np.uint64(0xFF)
    for _ in range(n):
        rest &= rest - ONE
    return position + lowest(rest)
