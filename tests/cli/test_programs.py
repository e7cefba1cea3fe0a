"""Other programs on the command line."""

import shlex

import pytest
from typer.testing import CliRunner

from ramify.cli.main import app
from tests.cli.test_arena_commands import ramify
from tests.players.programs import EXAMPLE, bad, external

pytestmark = pytest.mark.alone
MATCH = "--games 2 --simulations 5 --seed 1 --workers 0"


def play(typed, *words):
    """What is shown to somebody who types this."""
    result = CliRunner().invoke(app, ["play", "tictactoe", *words, "--seed", "1"], input=typed)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_person_plays_against_a_program():
    """With moves undone, of which the program is told."""
    out = play("hint\nb2\nundo\na1\nquit\n", "--agent", external(EXAMPLE), "--clock", "60")
    assert "engines give no hints" in out
    assert out.count("(program, ") == 2
    assert " s left)" in out
    assert out.endswith("bye\n")


def test_a_game_may_begin_elsewhere():
    words = ("--agent", external(EXAMPLE), "--position", "moves b2", "--seat", "1")
    assert "(program)" in play("quit\n", *words)


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("illegal", "player 2 played 'z99', which is not legal, so the game is over\n"),
        ("resigns", "player 2 resigns\n"),
        ("exits", "player 2 exited with code 3, so the game is over\n"),
    ],
)
def test_a_program_that_loses_otherwise(tmp_path, what, said):
    """It plays a1, then b1 (or what is left); here it never wins before."""
    words = ("--agent", bad(tmp_path, what))
    assert play("b3\nc1\nc2\na3\n", *words).endswith(said)


def test_a_match_tells_the_faults_and_a_replay_as_well(tmp_path):
    run = tmp_path / "run.db"
    words = ("match", "connect4", "uct", bad(tmp_path, "illegal"), *shlex.split(MATCH), "--run", str(run))
    out = ramify(*words).stdout
    assert "forfeit   2 games were forfeited\n" in out
    assert "          2 x external(cmd=" in out
    assert all(len(line) <= 80 for line in out.splitlines() if " x " in line)
    told = ramify("replay", str(run), "1", "--no-boards").stdout
    assert "player 2 played 'z99', which is not legal\n" in told
    assert "forfeited after 7 plies: player 1 1, player 2 0\n" in told
    assert "replayed from its seed: the same game" in told
