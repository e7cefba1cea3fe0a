"""A few rounds of ``tests.stress.kills``; ``make stress`` kills 100 times."""

import pytest

from ramify.errors import RamifyError
from tests.stress.kills import disturb, killed


@pytest.mark.alone
@pytest.mark.usefixtures("ctrl_c")
def test_nothing_is_lost():
    told = []
    try:
        ends = disturb(3, seed=1, say=told.append, chosen=("tune", "search"))
    except (AssertionError, RamifyError) as error:
        raise AssertionError("\n".join(told)) from error
    assert killed(ends).total() >= 3
