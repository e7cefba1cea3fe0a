"""NumPy's scalars and arrays without dimensions are accepted wherever a Python value is, with the same result."""

import json

import numpy as np
import pytest

import ramify
from ramify import bandits
from ramify.agents.checking.check import check_policy
from ramify.agents.checking.perft import perft
from ramify.contract.checking.check import check_game
from tests.arena.games_for_tests import timeless

GAME = ramify.load("tictactoe")
START = GAME.initial()
SCALARS = {int: np.int64, float: np.float64, bool: np.bool_, str: np.str_}
TWO = ("uct", "uct(c=1)")


def scalar(value):
    return SCALARS[type(value)](value)


def shown(report):
    return [(child.move.name, child.visits, child.value) for child in report.children], report.threads


def searched(x):
    return shown(ramify.search(START, x("uct"), simulations=x(40), calls=x(10**6), seed=x(3), threads=x(2)))


def kept_tree(x):
    run = ramify.Search(START, seed=x(3), threads=x(1))
    return shown(run.run(ramify.Budget(simulations=x(40), memory=x(10**6), seconds=x(60.0))))


def one_player(x):
    here = ramify.load("rock_paper_scissors").initial()
    return shown(ramify.search(here, simulations=x(40), seed=x(3), player=x(1)))


def of_keywords(x):
    made = ramify.agent("mcts", select={"name": "ucb1", "c": x(0.25)}, prove=x(True), expand_threshold=x(2))
    return str(made), str(ramify.agent({"name": x("uct"), "c": x(0.25), "simulations": x(5)}))


def matched(x):
    options = {"simulations": x(5), "seed": x(3), "opening_plies": x(1), "workers": x(0)}
    return timeless(ramify.match("tictactoe", *TWO, games=x(4), sprt=(x(-50.0), x(50)), **options).records)


def stored(x, folder):
    ramify.match(x("tictactoe"), *TWO, games=x(2), seconds=x(60.0), simulations=x(5), seed=x(3), run=folder / "a.db")
    again = ramify.match("tictactoe", *TWO, games=2, seconds=60.0, simulations=5, seed=3, run=folder / "a.db")
    return timeless(again.records)


def tournament(x):
    options = {"games_each": x(2), "simulations": x(5), "seed": x(3), "workers": x(0)}
    return timeless(ramify.tournament([x("tictactoe")], TWO, **options).records)


def scaled(x):
    options = {"simulations": x(4), "doublings": x(1), "games": x(2), "seed": x(3), "workers": x(0)}
    return ramify.scale("tictactoe", "uct", **options).to_dict()


def tuned(x):
    options = {"trials": x(2), "games": x(2), "confirm": x(2), "simulations": x(5), "seed": x(3), "workers": x(0)}
    return [trial.agent for trial in ramify.tune("tictactoe", x("uct(c=0.1..1.0)"), "uct", **options).trials]


def solved(x):
    found = ramify.solve(START, moves=x(True), memory=x(10**6), nodes=x(10**6), depth=x(9), exact=x(False))
    return found.value, found.nodes


def positions(x):
    return str(ramify.load(x("tictactoe")).position(x("x../.../...")).play(x("b2")))


def pulled(x):
    bandit = bandits.means_path(x(5), x(0.4), x(7))
    found = bandits.run(bandit, x("ucb1"), pulls=x(50), tasks=x(2), seed=x(3), threads=x(1), fpu=x(100.0))
    spent = bandits.spend(bandit, x("sequential_halving"), pulls=x(50), tasks=x(2), seed=x(3))
    boxes = bandits.random_boxes(x(5), x(0.1), x(0.2), x(-1.0), x(1.0), x(3))
    return found.pulls.tolist(), spent.pulls.tolist(), boxes.means.tolist()


def checked(x):
    game = check_game(x("tictactoe"), plays=x(2), seed=x(3), plies=x(100), timeout=x(10.0))
    return game.ok, game.counts, check_policy(x("ucb1"), simulations=x(20), seed=x(3)).counts, perft(START, x(2))


CALLS = [searched, kept_tree, one_player, of_keywords, matched, stored, tournament, scaled, tuned, solved]
CALLS += [positions, pulled, checked]


@pytest.mark.parametrize("convert", [scalar, np.asarray], ids=["scalar", "array"])
@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.__name__)
def test_numpy_values_give_the_same_result(call, convert, tmp_path):
    folders = [tmp_path / name for name in ("plain", "numpy")]
    for folder in folders:
        folder.mkdir()
    plain, converted = (
        call(x, folder) if call is stored else call(x)
        for x, folder in zip((lambda value: value, convert), folders, strict=True)
    )
    assert converted == plain
    json.dumps(converted)  # no value of NumPy is left in it


def test_single_precision_is_its_value_and_arrays_are_refused():
    assert ramify.Budget(seconds=np.float32(0.5)).seconds == 0.5
    with pytest.raises(ramify.RamifyError, match="must be a number"):
        ramify.search(START, simulations=np.array([5, 6]))
    with pytest.raises(ramify.RamifyError, match="must be a number, not 'True'"):
        ramify.search(START, simulations=np.bool_(True))
