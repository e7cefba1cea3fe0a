"""A sample of ``mutants.py``; `make stress` judges more."""

from pathlib import Path

import pytest

from tests.stress.mutants import SOURCES, campaign, distinct, mutant, one


@pytest.mark.alone
@pytest.mark.parametrize("number", [0, 1, 5, 17, 41, 44, 85])
def test_no_broken_mutant_gives_a_number(number: int, tmp_path: Path) -> None:
    verdict, story = one(mutant(number, 1), tmp_path)
    assert verdict in {"refused", "another"}, story


def test_no_mutant_is_judged_twice() -> None:
    made = list(distinct(220, 1))
    assert len({(each.source, each.text) for each in made}) == 220


@pytest.mark.alone
@pytest.mark.stress
def test_many_mutants(tmp_path: Path) -> None:
    assert campaign(4 * len(SOURCES), 2, tmp_path, workers=2)["FAILED"] == 0
