"""A player under attack for a minute (``ggp_attack.py``)."""

import pytest

from tests.stress.ggp_attack import MAX_BYTES, run


@pytest.mark.stress
@pytest.mark.alone
def test_every_turn_is_answered():
    seen = run(minutes=1.0, slow=100)
    assert seen.faults == []
    assert seen.matches > 0
    assert seen.most_bytes < MAX_BYTES
