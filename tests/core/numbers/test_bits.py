"""Words as sets of positions, compiled and as Python, against strings of digits."""

import numba
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ramify.core.numbers import bits

words = st.integers(0, 2**64 - 1)
some_bits = st.sets(st.integers(0, 63), min_size=1).map(lambda places: sum(1 << place for place in places))


def positions(word: int) -> list[int]:
    """The positions of the set bits, lowest first."""
    return [k for k, digit in enumerate(reversed(f"{word:064b}")) if digit == "1"]


@numba.njit
def popcount(word):
    return bits.popcount(word)


@numba.njit
def lowest(word):
    return bits.lowest(word)


@numba.njit
def bit(position):
    return bits.bit(position)


@numba.njit
def has(word, position):
    return bits.has(word, position)


@numba.njit
def without_lowest(word):
    return bits.without_lowest(word)


@numba.njit
def nth(word, n):
    return bits.nth(word, n)


def compiled_and_interpreted(function, *arguments):
    """The answer, which must be the same both ways."""
    answer = function(*arguments)
    assert getattr(function, "py_func", function)(*arguments) == answer
    return answer


@given(words)
@example(0)
@example(2**64 - 1)
def test_popcount(word):
    assert compiled_and_interpreted(popcount, np.uint64(word)) == len(positions(word))


@given(some_bits)
@example(1)
@example(1 << 63)
@example(2**64 - 1)
def test_lowest(word):
    assert compiled_and_interpreted(lowest, np.uint64(word)) == positions(word)[0]


@given(some_bits)
@example(1 << 63)
def test_without_lowest(word):
    left = compiled_and_interpreted(without_lowest, np.uint64(word))
    assert positions(int(left)) == positions(word)[1:]


@given(some_bits)
@example(1 << 63)
@example(2**64 - 1)
@example(0xFFFFFFFF)
@example(0xFFFFFFFF00000000)
def test_nth(word):
    for n, position in enumerate(positions(word)):
        assert compiled_and_interpreted(nth, np.uint64(word), n) == position


@pytest.mark.parametrize("position", range(64))
def test_bit(position):
    word = compiled_and_interpreted(bit, position)
    assert int(word) == 1 << position
    assert word.dtype == np.uint64 if isinstance(word, np.generic) else isinstance(word, int)


@given(words, st.integers(0, 63))
def test_has(word, position):
    assert bool(compiled_and_interpreted(has, np.uint64(word), position)) == (position in positions(word))


def test_a_loop_over_bits_ends():
    word = np.uint64(0x8000_0001_0000_0001)
    seen = []
    while word != bits.ZERO:
        seen.append(bits.lowest(word))
        word = bits.without_lowest(word)
    assert seen == [0, 32, 63]
