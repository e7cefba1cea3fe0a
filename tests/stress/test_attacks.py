"""A minute of floods, slow senders and noise (``attacks.py``)."""

import sys

import pytest

from tests.stress.attacks import ATTACKS, attacked

SECONDS = 60.0


@pytest.mark.stress
@pytest.mark.alone
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_every_turn_of_an_honest_match_is_answered_in_time():
    campaign = attacked(SECONDS)
    assert not campaign.faults, campaign
    assert campaign.turns > 10
    assert campaign.peak_kilobytes < 2_000_000
    assert len(campaign.requests) >= len(ATTACKS) - 1  # two of them drip
