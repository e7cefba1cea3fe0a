"""Progressive bias and progressive history, in the compiled engine and in the naive one: the same trees."""

from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

import ramify
from ramify.agents.hooks.move_classes import MoveClasses
from tests import toys
from tests.oracle.naive_progressive import Bias, History
from tests.oracle.test_engine import assert_equal_trees, follow, last, least, most

load = lru_cache(ramify.load)
RACE = str(Path(__file__).parents[1] / "strategies" / "toy_race.py")  # it has priors
TOYS = ("three_heaps", "dice_race", "nim_class")
GAMES = ["tictactoe", "connect4", "breakthrough(rows=5, columns=4)", "hex(size=3)", "pig(target=12)", RACE, *TOYS]
CONSTANTS = [(0.7, None), (0.0, 10.0), (1.4, 0.0)]


def initial(game):
    return (toys.load(game) if game in TOYS else load(game)).initial()


def both(state, name, slow, simulations=120, seed=1, *, c=0.7, fpu=10_000.0, threshold=1, **weight):
    """The two searches, run and compared."""
    constants = "".join(f", {key}={value}" for key, value in weight.items())
    text = f"mcts(select={name}(c={c}{constants}), fpu={fpu}, expand_threshold={threshold})"
    search = ramify.Search(state, text, seed=seed)
    search.run(ramify.Budget(simulations=simulations))
    other = slow(state, seed, c=c, fpu=fpu, expand_threshold=threshold, **weight).run(simulations)
    assert_equal_trees(search.workers[0], other)
    return search, other


@pytest.mark.parametrize(("c", "weight"), CONSTANTS)
@pytest.mark.parametrize("game", [game for game in GAMES if not game.startswith("hex")])  # it has its own playout
def test_bias(game, c, weight):
    both(initial(game), "progressive_bias", Bias, c=c, **({} if weight is None else {"weight": weight}))


def test_bias_follows_the_priors():
    """Of the two moves of the race one has a prior of 1/4, the other of 3/4: it is tried first, and more often."""
    for seed in range(8):
        search = ramify.Search(initial(RACE), "mcts(select=progressive_bias(weight=50))", seed=seed)
        tree = search.workers[0].tree
        for simulations, visits in ((1, [0, 1]), (1, [1, 1]), (2, [1, 3])):
            search.run(ramify.Budget(simulations=simulations))
            assert tree.nodes["visits"][tree.children()].tolist() == visits


@pytest.mark.parametrize(("c", "weight"), CONSTANTS)
@pytest.mark.parametrize("game", GAMES)
def test_history(game, c, weight):
    search, other = both(
        initial(game), "progressive_history", History, c=c, **({} if weight is None else {"weight": weight})
    )
    made, won = next(one for one in search.workers[0].parts.hooks if isinstance(one, MoveClasses)).tables[0]
    players = search.state.game.players
    known = {
        key: [made.reshape(players, -1)[key], won.reshape(players, -1)[key]]
        for key in zip(*map(list, np.nonzero(made.reshape(players, -1))), strict=True)
    }
    assert known == other.sums


@pytest.mark.parametrize(("fpu", "threshold"), [(0.6, 1), (10_000.0, 0), (0.2, 3)])
@pytest.mark.parametrize(("name", "slow"), [("progressive_bias", Bias), ("progressive_history", History)])
def test_urgency_and_threshold(name, slow, fpu, threshold):
    both(load("tictactoe").initial(), name, slow, fpu=fpu, threshold=threshold)
    both(initial(RACE), name, slow, fpu=fpu, threshold=threshold)


@pytest.mark.parametrize(("name", "slow"), [("progressive_bias", Bias), ("progressive_history", History)])
def test_along_a_game(name, slow):
    """The tree is kept, and the history with it, also where the tree starts anew."""
    state = load("connect4").initial()
    follow(state, f"mcts(select={name})", slow(state, 21), 80, [most, least, last, most])


def test_history_with_rewards_beyond_1():
    """A move that won more than it was visited has lost nothing."""
    report = ramify.search(
        load("breakthrough(rows=5, columns=4)").initial(),
        "mcts(select=progressive_history, reward=relative_bonus(k=8, a=0.5))",
        simulations=2000,
        seed=1,
    )
    assert sum(child.visits for child in report.children) == 2000
