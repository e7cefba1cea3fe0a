import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"


def test_the_pages_example_runs():
    outcome = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert outcome.attempted > 15
    assert outcome.failed == 0
