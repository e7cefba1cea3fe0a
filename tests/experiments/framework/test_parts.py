"""Parts of an experiment have a name of their own and share its run."""

from pathlib import Path

import pytest

import ramify
from ramify.experiments.framework.registry import experiment
from ramify.experiments.framework.work import CHUNK_TABLE
from ramify.runs.store import Reader
from tests.experiments.framework.test_running import COINS, rows

PART = f"{COINS}:coins-bent"


def test_a_part_runs_only_what_it_needs(tmp_path):
    result = ramify.reproduce(PART, scale="smoke", out=tmp_path, workers=0)
    assert result.complete
    assert list(result.results) == ["bent"]
    assert [claim.sentence for claim in result.findings.claims] == ["above one half"]
    assert {row[1] for row in rows(tmp_path / "coins-smoke.db")} == {"bent"}
    assert (tmp_path / "coins-bent-smoke.md").exists()
    assert result.experiment.published == "bent coin of nobody"


@pytest.mark.parametrize("part_first", [True, False])
def test_a_part_and_its_whole_share_rows(part_first, tmp_path):
    order = [PART, COINS] if part_first else [COINS, PART]
    played = []
    for name in order:
        calls = []
        ramify.reproduce(name, scale="smoke", out=tmp_path, workers=0, progress=calls.append)
        played.append(calls[-1].played if calls else 0)
    assert played == ([3, 4] if part_first else [7, 0])
    ramify.reproduce(COINS, scale="smoke", out=tmp_path / "whole", workers=0)
    assert rows(tmp_path / "coins-smoke.db") == rows(tmp_path / "whole" / "coins-smoke.db")


def test_progress_of_a_part_counts_its_own_jobs(tmp_path):
    ramify.reproduce(COINS, scale="smoke", out=tmp_path, workers=0)
    with Reader(tmp_path / "coins-smoke.db", CHUNK_TABLE) as reader:
        assert len(reader.numbers()) == 7
    calls = []
    ramify.reproduce(PART, scale="smoke", out=tmp_path / "new", workers=0, progress=calls.append)
    assert (calls[-1].done, calls[-1].total) == (3, 3)


def test_parts_of_files():
    assert experiment(PART).whole.id == "coins"
    assert experiment(PART).file == COINS
    assert experiment(COINS).id == "coins"
    assert Path(COINS).name == "coins.py"
