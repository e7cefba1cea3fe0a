import json
import os
import signal
import sqlite3
import subprocess
import time

import pytest
from typer.testing import CliRunner

from ramify.arena.matches.rows import GAME_TABLE
from ramify.cli.main import app
from ramify.errors import RamifyError
from ramify.runs.store import Reader
from tests import processes
from tests.runs.old_files import without_digests

MATCH = [
    "match",
    "tictactoe",
    "uct",
    "uct(c=1.4)",
    "--games",
    "6",
    "--simulations",
    "20",
    "--seed",
    "1",
    "--workers",
    "0",
]


def ramify(*words, code=0):
    result = CliRunner().invoke(app, [str(word) for word in words])
    if isinstance(result.exception, RamifyError):
        raise result.exception
    assert result.exit_code == code, result.output
    return result


def test_match_prints_a_table_and_goes_on(tmp_path):
    run = tmp_path / "run.db"
    out = ramify(*MATCH, "--run", run).stdout
    assert "games     6 in 3 pairs" in out
    assert f"run       {run}" in out
    again = ramify(*MATCH[:-4], "--workers", "0", "--run", run, "--games", "8")
    assert "6 of 8 games are already stored" in again.stderr
    assert "speed     2 games in this session" in again.stdout


def test_match_prints_json():
    data = json.loads(ramify(*MATCH, "--json").stdout)
    assert data["games"] == 6
    assert data["first"]["agent"] == "uct"
    assert data["interval"][0] <= data["score"] <= data["interval"][1]


def test_match_with_a_test():
    data = json.loads(ramify(*MATCH, "--sprt", "0", "20", "--model", "logistic", "--json").stdout)
    assert data["sprt"]["decision"] == "continue"


def test_bad_words_are_refused():
    with pytest.raises(RamifyError, match="unknown Elo model 'bayes': use 'normalized' or 'logistic'"):
        ramify(*MATCH, "--sprt", "0", "5", "--model", "bayes")
    with pytest.raises(RamifyError, match="--model needs --sprt"):
        ramify(*MATCH, "--model", "logistic")
    with pytest.raises(RamifyError, match="did you mean 'uct'"):
        ramify("match", "tictactoe", "utc", "uct", "--simulations", "5")


def test_tournament_from_a_file_and_options(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text('games = ["connect4"]\nagents = ["uct", "uct(c=1.4)", "uct(c=0.1)"]\nclock = 5\ngames_each = 2\n')
    words = ["tournament", path, "--simulations", "5", "--gauntlet", "--workers", "0"]
    data = json.loads(ramify(*words, "--game", "tictactoe", "--json").stdout)
    assert [pairing["game"] for pairing in data["pairings"]] == ["tictactoe", "tictactoe"]
    assert data["pairings"][0]["first"]["budget"] == {"simulations": 5}
    out = ramify(*words, "--agent", "uct", "--agent", "uct(c=2)").stdout
    assert "ratings at connect4" in out
    assert "uct - uct(c=2), connect4" in out


def test_a_file_with_budgets_of_their_own_and_a_rule_on_time(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(
        'games = ["tictactoe"]\nclock = "5+0.1"\non_time = "random"\ngames_each = 2\n[agents]\n'
        'quick = {name = "uct", simulations = 5}\nslow = "uct(simulations=9)"\nplain = "uct"\n'
    )
    words = ["tournament", path, "--workers", "0", "--seed", "1"]
    plain = json.loads(ramify(*words, "--simulations", "7", "--json").stdout)["pairings"][1]["second"]
    assert plain == {"label": "plain", "agent": "uct", "budget": {"simulations": 7}}
    pairings = json.loads(ramify(*words, "--clock", "0.2", "--json").stdout)["pairings"]
    budgets = {p[side]["label"]: p[side]["budget"] for p in pairings for side in ("first", "second")}
    assert budgets == {
        "quick": {"simulations": 5},
        "slow": {"simulations": 9},
        "plain": {"clock": 0.2, "on_time": "random"},
    }


def test_replay_shows_a_game_and_finds_a_mismatch(tmp_path):
    run = tmp_path / "run.db"
    ramify(*MATCH, "--run", run)
    out = ramify("replay", run, 2).stdout
    assert "player 1 plays" in out
    assert "replayed from its seed: the same game" in out
    assert json.loads(ramify("replay", run, 2, "--json").stdout)["mismatch"] is None
    with sqlite3.connect(run) as connection:
        connection.execute("UPDATE games SET calls = '[1, 1]' WHERE number = 2")
    connection.close()
    with pytest.raises(RamifyError, match=r"row 2 of .* is left out: its values do not match its digest"):
        ramify("replay", run, 2)
    without_digests(run)
    result = ramify("replay", run, 2, "--no-boards", code=1)
    assert "replayed from its seed, the game differs: calls is (1, 1) in the file" in result.stderr
    assert "note: 1 row was stored by an older version without a digest" in result.stderr


def games_in(run):
    try:
        with Reader(run, GAME_TABLE) as reader:
            return len(reader.numbers())
    except RamifyError:  # not there yet
        return 0


@pytest.mark.alone
@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_leaves_a_table_and_the_games(tmp_path):
    run = tmp_path / "run.db"
    program = "from ramify.cli.main import run; run()"
    words = ["match", "connect4", "uct", "uct(c=1)", "--games", "100000", "--simulations", "50", "--workers", "1"]
    with processes.running(
        *("-u", "-c", program, *words, "--run", str(run)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=processes.environment(),
    ) as process:
        while process.poll() is None and not games_in(run):
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "interrupted; this is the score so far" in err
    assert "Traceback" not in err
    assert "games missing; the same command plays them" in out
    assert [path.name for path in tmp_path.iterdir()] == ["run.db"]
