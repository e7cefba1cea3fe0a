"""``ramify policies``."""

import json

from typer.testing import CliRunner

from ramify.cli.main import app
from ramify.strategies.policy.registry import policies


def run(*words):
    return CliRunner().invoke(app, ["policies", *words])


def test_lists_every_policy():
    result = run()
    assert result.exit_code == 0
    for name in policies():
        assert f"\n{name}" in "\n" + result.output
    assert "ucb1(c=0.7)\n    m + c sqrt(ln N / n)\n" in result.output
    assert "omc(value=mean|total, floor=false)" in result.output


def test_json():
    rows = {row["name"]: row for row in json.loads(run("--json").output)}
    assert list(rows) == list(policies())
    assert rows["ucb1_tuned"]["needs"] == ["deviations"]
    assert rows["exp3"]["constants"]["eta"]["default"] is None
    assert rows["omc"]["constants"]["value"]["words"] == ["mean", "total"]
    assert rows["puct"]["needs"] == ["priors"]


def test_one_by_name():
    assert run("moss").output.startswith("moss(as_printed=false)\n")
    assert "unknown selection policy 'mos'" in str(run("mos").exception)


def test_the_source_of_the_kernels(tmp_path):
    assert "sqrt" not in run("ucb1", "--kernel").output  # the formula stays in the author's file
    learning = json.loads(run("discounted_ucb", "--kernel", "--json").output)
    assert [what.partition(" ")[0] for what in learning] == ["select", "update"]
    for text in learning.values():
        compile(text, "kernel", "exec")
    mine = tmp_path / "mine.py"
    mine.write_text("def rule(n, m, rng):\n    return m + rng[0] * 0.0\n")
    assert "function(n, m, rng)" in run(f"{mine}:rule", "--kernel").output
    assert "--kernel needs a policy" in str(run("--kernel").exception)
