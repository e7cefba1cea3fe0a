import json
import math

import pytest
from typer.testing import CliRunner

import ramify
from ramify.arena.matches.doubling import total
from ramify.arena.matches.rows import GAME_TABLE, stored_rows
from ramify.arena.matches.scale import plan_scale
from ramify.cli.main import app
from ramify.errors import RamifyError
from ramify.runs.store import Reader
from ramify.statistics.inference import Interval

WORDS = ["scale", "tictactoe", "uct", "--simulations", "5", "--doublings", "2", "--seed", "1", "--workers", "0"]


def run(*words):
    result = CliRunner().invoke(app, [str(word) for word in (*WORDS, *words)])
    if isinstance(result.exception, RamifyError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result


def test_each_side_has_its_own_budget(tmp_path):
    result = ramify.scale(
        "tictactoe", "uct", simulations=5, doublings=2, games=4, seed=1, workers=0, run=tmp_path / "scale.db"
    )
    assert [step.simulations for step in result.steps] == [10, 20]
    with Reader(tmp_path / "scale.db", GAME_TABLE) as reader:
        rows = list(stored_rows(reader))
    assert len(rows) == 8
    for row in rows:
        first = row.seats.index(0)
        assert row.limits[first].simulations == 2 * row.limits[1 - first].simulations == 10 * 2**row.pairing
        assert max(row.searched) == 10 * 2**row.pairing


def test_more_simulations_are_stronger():
    result = ramify.scale("connect4", "uct(c=0.7)", simulations=5, doublings=2, games=40, seed=1, workers=0)
    assert result.steps[-1].total.low > 0
    assert "elo gain" in str(result)
    assert result.steps[1].total.estimate == pytest.approx(sum(step.standing.elo.estimate for step in result.steps))


def test_the_command_goes_on_and_reports(tmp_path):
    path = tmp_path / "scale.db"
    assert "5 to 10" in run("--games", 4, "--run", path).stdout
    again = run("--games", 6, "--run", path, "--out", tmp_path / "out")
    assert "8 of 12 games are already stored" in again.stderr
    assert (tmp_path / "out" / "1-tictactoe-scale.png").exists()
    html = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "ramify scale tictactoe uct --simulations 5 --doublings 2 --games 6 --opening-plies 2 --seed 1" in html
    with pytest.raises(RamifyError, match="holds another run"):
        run("--games", 6, "--run", path, "--simulations", "6")


def test_json_and_a_report_of_a_run_in_memory(tmp_path):
    result = run("--games", 2, "--json", "--out", tmp_path / "out")
    data = json.loads(result.stdout)
    assert [step["simulations"] for step in data["steps"]] == [10, 20]
    assert len(data["steps"][1]["cumulative_elo"]) == 3
    assert "report.html" in result.stderr


def test_totals_add_up():
    one = total([Interval(100, 70, 140), Interval(50, 10, 80)])
    assert one == Interval(150, 150 - 50, 150 + 50)
    assert total([Interval(math.inf, 100, math.inf), Interval(50, 10, 80)]) == Interval(math.inf, 110, math.inf)


@pytest.mark.parametrize("doublings", [0, 31, 2.5, True])
def test_doublings_are_checked(doublings):
    with pytest.raises(RamifyError, match="invalid number of doublings"):
        plan_scale("tictactoe", "uct", simulations=5, doublings=doublings)


def test_the_first_budget_and_the_folder_are_checked(tmp_path):
    with pytest.raises(RamifyError, match="simulations"):
        plan_scale("tictactoe", "uct", simulations=0)
    (tmp_path / "file").write_text("")
    with pytest.raises(RamifyError, match="is a file: choose a folder"):
        run("--out", tmp_path / "file")
