"""The code in docs/policies.md and docs/bandits.md does what the text says."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from ramify import Budget, Search, load
from ramify.cli.main import app
from ramify.core.kernels.pointers import array
from ramify.strategies.policy.registry import policies
from tests.strategies.node import Node

DOCS = Path(__file__).parent.parent.parent / "docs"


def blocks(name, language):
    text = (DOCS / name).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder that holds every file shown in docs/policies.md."""
    for block in blocks("policies.md", "python"):
        name = re.match(r"# (\w+\.py)\n", block).group(1)
        (tmp_path / name).write_text(block, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_commands_about_policies(folder):
    commands = [line for block in blocks("policies.md", "sh") for line in block.splitlines()]
    assert len(commands) == 7
    for line in commands:
        words = shlex.split(line, comments=True)
        assert words[0] == "ramify"
        result = CliRunner().invoke(app, words[1:])
        assert result.exit_code == 0, (line, result.output)


OWN = ["./mine.py:my_rule(c=1.0)", "./sampled.py", "./momentum.py(weight=0.2)", "./window.py(c=0.4)", "./habits.py"]


@pytest.mark.parametrize("policy", OWN)
def test_own_policies(folder, policy):
    result = CliRunner().invoke(
        app, ["search", "tictactoe", "--simulations", "300", "--agent", f"mcts(select={policy})"]
    )
    assert result.exit_code == 0, result.output
    assert "best move" in result.output


def test_an_array_per_child(folder):
    """The last eight rewards of a child, the ninth over the first."""
    node = Node("./window.py:window(c=0.0)", [0, 0])
    for reward in range(11):
        node.credit(1, reward)
    assert node.table[:8, 2].tolist() == [8.0, 9.0, 10.0, 3.0, 4.0, 5.0, 6.0, 7.0]
    node.credit(0, 6.0)
    assert node.indices().tolist() == [6.0, 6.5]


def test_a_table_by_class(folder):
    """Every move of every simulation is counted: nine plies or fewer each, of two players and nine cells."""
    search = Search(load("tictactoe").initial(), "mcts(select=./habits.py)", seed=1)
    search.run(Budget(simulations=200))
    worker = search.workers[0]
    tables = array(int(worker.parts.selectors.root_block["by_class"][0]), 36, np.float64).reshape(2, 2, 9)
    assert tables[0].sum() == worker.counters["calls"][0]
    assert 0 < tables[1].sum() < tables[0].sum()


def test_every_policy_is_in_the_table():
    text = (DOCS / "policies.md").read_text(encoding="utf-8")
    table = text[: text.index("## Write your own")]
    assert [name for name in policies() if f"`{name}`" not in table] == []


def test_the_example_of_bandits():
    printed = io.StringIO()
    space = {}
    with contextlib.redirect_stdout(printed):
        for block in blocks("bandits.md", "python"):
            exec(compile(block, "bandits.md", "exec"), space)
    assert printed.getvalue() == blocks("bandits.md", "text")[0]
    assert len(space["rewards"]) == 10
