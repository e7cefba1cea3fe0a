"""Small things that once looked wrong in what commands print."""

import json
import re

import pytest
from typer.testing import CliRunner

from ramify import __version__
from ramify.bridges import openspiel
from ramify.cli.main import app
from tests import processes

TINY = ["match", "tictactoe", "uct", "uct(c=0.1)", "--games", "2", "--simulations", "5"]
TWICE = ["--agent", "uct", "--agent", "uct"]


def printed(*words):
    result = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_version():
    assert printed("--version") == f"ramify {__version__}\n"


def test_moves_never_visited_have_a_dash_and_no_nan():
    text = printed("search", "connect4", "--simulations", "3", "--seed", "1")
    assert len(re.findall(r"^\d +0  -$", text, re.MULTILINE)) == 4
    rave = printed("search", "connect4", "--simulations", "3", "--seed", "1", "--agent", "mcts(select=rave)")
    assert "estimate" in rave
    assert "nan" not in text + rave


def test_two_pairs_are_too_few_for_an_elo():
    text = printed(*TINY, "--seed", "1")
    assert re.search(r"^elo +\S+ \[-inf, \+inf\], too few games", text, re.MULTILINE)
    scale = printed(
        "scale", "tictactoe", "uct", "--simulations", "5", "--doublings", "1", "--games", "2", "--seed", "1"
    )
    assert "An infinite Elo means too few games." in scale


def test_equal_agents_are_not_rated_minus_zero():
    text = printed("tournament", "--game", "tictactoe", *TWICE, "--simulations", "900", "--games", "2", "--seed", "1")
    assert re.search(r" \+0 \[", text)
    assert not re.search(r"-0(?![.\d])", text)


def test_a_report_goes_beside_its_run(tmp_path):
    run = tmp_path / "cup.db"
    printed(*TINY, "--run", run)
    written = json.loads(printed("report", run, "--json"))
    assert written["html"] == str(tmp_path / "cup-report" / "report.html")
    assert (tmp_path / "cup-report" / "report.md").is_file()


def test_the_games_of_openspiel_are_listed():
    names = printed("games", "--openspiel").split()
    assert names == json.loads(printed("games", "--openspiel", "--json"))
    assert {"openspiel:chess", "openspiel:2048"} <= set(names)
    assert "openspiel:kuhn_poker" not in names
    assert len(names) == len(openspiel.names())


@pytest.mark.parametrize("heavy", ["scipy.stats", "scipy.optimize", "choix", "dask", "matplotlib", "rich"])
def test_a_tiny_match_imports_nothing_heavy(heavy, imported):
    assert heavy not in imported


@pytest.fixture(scope="module")
def imported():
    code = f"import sys; from ramify.cli.main import app; app({TINY}, standalone_mode=False); print(*sys.modules)"
    return processes.run("-c", code).splitlines()[-1].split()
