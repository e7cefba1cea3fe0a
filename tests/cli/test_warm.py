"""What is compiled ahead."""

import pytest
from typer.testing import CliRunner

from ramify.cli.main import app
from tests import processes

STEPS = [
    "engine",
    "tictactoe",
    "bandits",
    "solver",
    "proofs",
    "statistics",
    "gdl",
    "shapes",
    "policies",
    "allocations",
]


def steps(ran):
    """What it says it compiled, in that order; the last line is the sum."""
    assert ran.exit_code == 0, ran.output
    *lines, last = ran.stdout.splitlines()
    assert "functions compiled and stored in" in last
    return [line.split()[0] for line in lines]


def test_the_solver_and_the_statistics_are_compiled_with_the_games_that_are_named():
    assert steps(CliRunner().invoke(app, ["warm", "tictactoe", "--workers", "0"])) == STEPS


def test_a_game_that_begins_with_chance_is_compiled():
    assert steps(CliRunner().invoke(app, ["warm", "goofspiel", "--workers", "0"]))[1] == "goofspiel"


@pytest.mark.alone
def test_workers_compile_the_same(tmp_path):
    """In an empty folder: afterwards a process finds everything there."""
    variables = {"NUMBA_CACHE_DIR": str(tmp_path)}
    cold = processes.run("-m", "ramify", "warm", "tictactoe", "nim", "--workers", "2", **variables).splitlines()
    assert cold[0].startswith("engine")
    assert sorted(line.split()[0] for line in cold[:-1]) == sorted([*STEPS, "nim"])
    assert int(cold[-1].split()[0]) > 100
    warm = processes.run("-m", "ramify", "warm", "tictactoe", "nim", "--workers", "0", **variables).splitlines()
    assert warm[-1].startswith("0 functions compiled")


def test_a_game_that_there_is_not_is_refused_before_anything_is_compiled():
    ran = CliRunner().invoke(app, ["warm", "tictactoe", "tictactow"])
    assert ran.exit_code != 0
    assert "engine" not in ran.stdout
