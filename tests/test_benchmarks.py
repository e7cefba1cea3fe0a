"""The programs under benchmarks/ still run: what they import is there, and takes the arguments that they give."""

import importlib
import sys
from pathlib import Path

import pytest

from ramify.core.kernels.compiling import JIT

FOLDER = Path(__file__).parent.parent / "benchmarks"


@pytest.fixture
def benchmarks(monkeypatch):
    """Imports them by their names, as they do each other."""
    monkeypatch.syspath_prepend(str(FOLDER))
    before = set(sys.modules)
    yield importlib.import_module
    for name in {path.stem for path in FOLDER.glob("*.py")} & (set(sys.modules) - before):
        del sys.modules[name]


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.py")))
def test_a_benchmark_can_be_imported(benchmarks, name):
    assert benchmarks(name).__doc__


@pytest.mark.skipif(not JIT, reason="plain Python takes too long")
def test_playouts_are_measured(benchmarks, capsys):
    benchmarks("playouts").main(["connect4"], 4, 1, ["mast"])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[1] for line in lines[1:]] == ["plain", "fast", "mast"]
    assert all(line[-1].endswith("x") for line in lines[1:])


@pytest.mark.skipif(not JIT, reason="plain Python takes too long")
def test_policies_and_rewards_are_measured(benchmarks, capsys):
    benchmarks("policies").main(1, 50, ["ucb1_tuned"])
    rewards = benchmarks("rewards")
    rewards.measure({"relative": f"mcts(reward={rewards.REWARDS['relative']})"}, "mcts", 1, 50)
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["policy", "ucb1_tuned", "relative"]
