"""SIGKILL at random moments costs nothing but time; benchmarks/kill_resume.py does this with 400 games and 10 kills."""

import importlib.util
import sys
from pathlib import Path

import pytest

import ramify

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "kill_resume.py"


@pytest.mark.alone
def test_killed_and_resumed_is_the_same_as_undisturbed(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("kill_resume", SCRIPT)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    monkeypatch.setenv("PYTHONPATH", ":".join(sys.path))
    told = []
    script.disturbed(tmp_path / "killed.db", 30, kills=2, simulations=100, workers=2, seed=1, say=told.append)
    assert len(told) == 2
    ramify.match(*script.AGENTS, games=30, simulations=100, seed=7, run=tmp_path / "quiet.db", workers=0)
    assert script.stored(tmp_path / "killed.db") == script.stored(tmp_path / "quiet.db")
    assert len(script.stored(tmp_path / "quiet.db")) == 30
    assert sorted(path.name for path in tmp_path.iterdir()) == ["killed.db", "quiet.db"]
