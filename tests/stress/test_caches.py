"""Thousands of flipped bits in cached files, and 100 starts with a damaged cache (``caches.py``)."""

import pytest

from tests.stress.caches import disturb

STARTS, FLIPS = 100, 20_000


@pytest.mark.stress
@pytest.mark.alone
def test_no_damage_is_noticed(capsys):
    with capsys.disabled():
        met = disturb(STARTS, FLIPS, seed=1, say=print)
    assert met.total() == STARTS
