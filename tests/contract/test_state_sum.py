"""The checksum that shows whether a question has changed the state."""

import numpy as np
import pytest

from ramify.core.kernels.pointers import address
from ramify.core.tools.violations import sum_state


@pytest.mark.parametrize("size", [8, 16, 24, 29])
def test_every_bit_counts_and_no_sum_is_negative(size):
    state = np.random.default_rng(size).integers(0, 256, 32, np.uint8)
    with np.errstate(over="ignore"):  # as in compiled code
        before = sum_state(address(state), size)
        for bit in range(8 * size):
            state[bit // 8] ^= 1 << bit % 8
            after = sum_state(address(state), size)
            assert after != before
            assert after >= 0
            state[bit // 8] ^= 1 << bit % 8


def test_a_single_high_bit_is_not_taken_for_a_failure():
    assert sum_state(address(np.array([1 << 63], np.uint64)), 8) >= 0
