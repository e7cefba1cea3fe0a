import doctest
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "arena.md"


@pytest.mark.alone
def test_the_pages_example_runs():
    outcome = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert outcome.attempted == 8
    assert outcome.failed == 0
