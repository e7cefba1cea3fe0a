"""100 kills of all commands that write, and Ctrl-C at some (``kills.py``)."""

import pytest

from tests.stress.kills import LEAST, disturb, killed
from tests.stress.writing_commands import all_commands

KILLS = 100


@pytest.mark.stress
@pytest.mark.alone
@pytest.mark.usefixtures("ctrl_c")
def test_nothing_is_lost(capsys):
    with capsys.disabled():
        found = killed(disturb(KILLS, seed=1, say=print))
    assert found.total() >= KILLS
    assert all(found[command.name] >= LEAST for command in all_commands() if command.writes)
