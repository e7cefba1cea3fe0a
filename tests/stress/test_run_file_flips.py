"""Single flips of a run file never change a number (``flips.py``)."""

import pytest

from tests.stress.flips import flip

SAMPLE, MANY = 100, 10_000


def test_a_sample_of_flips_changes_no_number():
    assert flip(SAMPLE, seed=1).total() == SAMPLE


@pytest.mark.stress
def test_no_flip_changes_a_number():
    assert flip(MANY, seed=2).total() == MANY
