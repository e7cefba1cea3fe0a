"""SIGKILL and Ctrl-C at 200 random moments of all commands that write (``kills.py``)."""

import pytest

from tests.stress.kills import disturb

ROUNDS = 200


@pytest.mark.stress
@pytest.mark.alone
@pytest.mark.usefixtures("ctrl_c")
def test_nothing_is_lost(capsys):
    with capsys.disabled():
        ends = disturb(ROUNDS, seed=1, say=print)
    assert ends.total() == ROUNDS
