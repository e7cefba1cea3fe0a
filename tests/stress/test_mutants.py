"""A sample of ``mutants.py``; `make stress` judges more."""

from pathlib import Path

import pytest

from tests.stress.mutants import SOURCES, campaign, one


@pytest.mark.alone
@pytest.mark.parametrize("number", [0, 1, 5, 17, 44])
def test_no_broken_mutant_gives_a_number(number: int, tmp_path: Path) -> None:
    _, verdict, story = one(number, 1, tmp_path)
    assert verdict in {"refused", "another"}, story


@pytest.mark.alone
@pytest.mark.stress
def test_many_mutants(tmp_path: Path) -> None:
    assert campaign(4 * len(SOURCES), 2, tmp_path, workers=2)["FAILED"] == 0
