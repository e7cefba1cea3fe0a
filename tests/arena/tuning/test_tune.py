import json
import sys

import pytest
from typer.testing import CliRunner

import ramify
from ramify.arena.matches.rows import GAME_TABLE
from ramify.arena.tuning.response_surface import ResponseSurface
from ramify.arena.tuning.space import CategoricalRange, Range, Space
from ramify.arena.tuning.surface_plot import draw
from ramify.cli.main import app
from ramify.errors import RamifyError
from ramify.runs.store import Reader
from ramify.statistics.pairs import PairedResults
from tests.arena.games_for_tests import timeless
from tests.images import on_the_border

SETTINGS = {"against": "uct(c=0.7)", "simulations": 40, "seed": 5, "workers": 0}


def summary(result):
    return [(trial.number, trial.agent, trial.standing.results) for trial in result.trials]


def test_ranges_are_found_and_filled():
    space = Space("mcts(select=ucb1(c=log(0.01..10)), recommend={robust|max}, reuse=true)")
    assert space.parameters == (
        Range("select.c", 0.01, 10, log=True),
        CategoricalRange("recommend", Space("x(y={robust|max})").parameters[0].values),
    )
    values = {"select.c": 0.5, "recommend": space.parameters[1].values[1]}
    assert space.agent(values) == "mcts(select=ucb1(c=0.5), recommend=max, reuse=true)"
    assert Space("x(-3..4, ./a/../mine.py)").parameters == (Range("1", -3, 4),)
    assert Space("x(1..4)").parameters[0].whole
    assert not Space("x(1..4.0)").parameters[0].whole
    assert str(Space("x(a=1..4,b={1|2|true})")) == "x(a=1..4, b={1|2|true})"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("uct(c=0.7)", "has no range to tune"),
        ("uct(c=2..1)", "empty range c=2..1"),
        ("uct(c=1..1)", "empty range c=1..1"),
        ("uct(c=a..1)", "invalid range c=a..1"),
        ("uct(c=log(0..1))", r"c=log\(0..1\): a logarithmic range must begin above 0"),
        ("uct(c={1})", r"invalid choice c=\{1\}"),
        ("uct(c={1|1})", r"invalid choice"),
        ("mcts(expand_threshold=-3..8)", "invalid range of expand_threshold"),
        ("uct(d=0..1)", "invalid range of d: .*no parameter 'd'"),
    ],
)
def test_impossible_ranges_are_told(text, sentence):
    with pytest.raises(RamifyError, match=sentence):
        ramify.tune("tictactoe", text, trials=1, games=2, **SETTINGS)


def test_sensible_exploration_is_preferred_to_absurd():
    result = ramify.tune(
        "connect4",
        "uct(c={0.7|1000})",
        against="uct(c=0.7)",
        simulations=200,
        trials=4,
        games=16,
        confirm=16,
        seed=2,
        workers=0,
    )
    assert result.best.agent == "uct(c=0.7)"
    absurd = [trial.standing.score for trial in result.trials if trial.values["c"] == 1000]
    assert absurd
    assert max(absurd) < 0.35
    assert result.confirmation.score > 0.35
    assert result.confirmation.games == 16


def test_an_interrupted_tuning_ends_with_the_same_trials(tmp_path):
    options = {**SETTINGS, "trials": 14, "games": 4, "confirm": 6}
    quiet = ramify.tune("tictactoe", "uct(c=log(0.01..100))", run=tmp_path / "quiet.db", **options)

    def interrupt(driver):
        if driver.played == 21:
            raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            ramify.tune("tictactoe", "uct(c=log(0.01..100))", run=tmp_path / "cut.db", progress=interrupt, **options)
    resumed = ramify.tune("tictactoe", "uct(c=log(0.01..100))", run=tmp_path / "cut.db", **options)
    assert summary(resumed) == summary(quiet)
    assert resumed.confirmation.results == quiet.confirmation.results
    with Reader(tmp_path / "quiet.db", GAME_TABLE) as one, Reader(tmp_path / "cut.db", GAME_TABLE) as other:
        assert timeless(one.records()) == timeless(other.records())
    more = ramify.tune("tictactoe", "uct(c=log(0.01..100))", run=tmp_path / "cut.db", **options | {"trials": 15})
    assert summary(more)[:14] == summary(quiet)
    with pytest.raises(RamifyError, match="its form is tune with 4 games a trial, not tune with 6 games a trial"):
        ramify.tune("tictactoe", "uct(c=log(0.01..100))", run=tmp_path / "cut.db", **options | {"games": 6})
    with pytest.raises(RamifyError, match="its agents are"):
        ramify.tune("tictactoe", "uct(c=log(0.01..10))", run=tmp_path / "cut.db", **options)


@pytest.mark.alone
def test_workers_play_the_same_trials(tmp_path):
    options = {**SETTINGS, "trials": 3, "games": 4, "confirm": 0}
    alone = ramify.tune("tictactoe", "uct(c=0.1..2.0)", **options)
    together = ramify.tune("tictactoe", "uct(c=0.1..2.0)", **options | {"workers": 2})
    assert summary(alone) == summary(together)
    assert alone.confirmation is None


def test_the_command_prints_draws_and_goes_on(tmp_path):
    words = ["tune", "tictactoe", "uct(c=0.1..2.0)", "--against", "uct", "--simulations", "20", "--trials", "3"]
    words += ["--games", "2", "--seed", "1", "--workers", "0", "--run", tmp_path / "tune.db", "--out", tmp_path / "out"]
    first = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert "trials    3 of 3" in first.stdout
    assert "fresh     " in first.stdout
    assert (tmp_path / "out" / "tune.png").stat().st_size > 10_000
    again = CliRunner().invoke(app, [*(str(word) for word in words), "--json"], catch_exceptions=False)
    data = json.loads(again.stdout)
    assert f"best      {data['best']['agent']}, trial {data['best']['trial']}" in first.stdout
    assert [trial["games"] for trial in data["trials"]] == [2, 2, 2]
    shown = CliRunner().invoke(app, ["replay", str(tmp_path / "tune.db"), "2000001"], catch_exceptions=False)
    assert shown.exit_code == 0


@pytest.mark.parametrize(
    "text",
    [
        "mcts(select=ucb1(c=0.1..2.0), reuse={true|false})",
        "mcts(select=ucb1(c=log(0.1..2.0)), expand_threshold=1..8)",
        "mcts(select=ucb1(c=0.1..2.0), playout=uniform(limit=100), recommend=max, expand_threshold=1..8, reuse=true)",
    ],
)
def test_pictures_of_several_parameters(text, tmp_path):
    result = ramify.tune("tictactoe", text, trials=3, games=2, confirm=2, **SETTINGS)
    path = draw(result, tmp_path)
    assert path.stat().st_size > 10_000
    assert not on_the_border(path)


def test_the_landscape_finds_a_hill_in_noise():
    places = [(k / 20,) for k in range(21)]
    wins = [round(40 * (0.6 - (x - 0.3) ** 2)) + (3 if k % 2 else -3) for k, (x,) in enumerate(places)]
    landscape = ResponseSurface(places, [PairedResults.from_counts([40 - won, 0, 0, 0, won]) for won in wins])
    means, deviations = landscape(places)
    assert abs(places[int(means.argmax())][0] - 0.3) <= 0.15
    assert (deviations < 0.1).all()


def test_a_missing_extra_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(RamifyError, match=r'pip install "ramify\[tune\]"'):
        ramify.tune("tictactoe", "uct(c=0.1..2.0)", **SETTINGS)
