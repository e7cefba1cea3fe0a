"""What is compiled ahead."""

from typer.testing import CliRunner

from ramify.cli.main import app


def test_the_solver_and_the_statistics_are_compiled_with_the_games_that_are_named():
    ran = CliRunner().invoke(app, ["warm", "tictactoe"])
    assert ran.exit_code == 0
    steps = [line.split()[0] for line in ran.stdout.splitlines()]
    assert steps[:5] == ["engine", "bandits", "solver", "statistics", "tictactoe"]
    assert len(steps) == 6


def test_a_game_that_there_is_not_is_refused_before_anything_is_compiled():
    ran = CliRunner().invoke(app, ["warm", "tictactoe", "tictactow"])
    assert ran.exit_code != 0
    assert "engine" not in ran.stdout
