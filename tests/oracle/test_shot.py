"""SHOT, its original and H-MCTS against a recursive transcription, node for node."""

from functools import lru_cache

import pytest

import ramify
from tests import toys
from tests.oracle import naive_shot
from tests.oracle.test_engine import assert_equal_trees

load = lru_cache(ramify.load)

GAMES = {
    "tictactoe": lambda: load("tictactoe").initial(),
    "near the end": lambda: load("tictactoe").position("xo./.x./..o"),
    "connect4": lambda: load("connect4").initial(),
    "three players": lambda: toys.load("three_heaps").initial(),
    "chance": lambda: toys.load("dice_race").initial(),
    "chance, short": lambda: toys.load("dice_race(goal=3)").initial(),
    "pig": lambda: load("pig(target=12)").initial(),
    "objects": lambda: toys.load("nim_class").initial(),
    "one move at a time": lambda: toys.load("corridor(length=40)").initial(),
}
BUDGETS = (1, 2, 3, 5, 8, 9, 10, 13, 20, 33, 64, 100, 150, 301)
KINDS = {
    "shot": naive_shot.Shot,
    "shot_original": naive_shot.Original,
    "h_mcts(limit=5)": lambda *given: naive_shot.Hybrid(*given, limit=5),
    "h_mcts(limit=1)": lambda *given: naive_shot.Hybrid(*given, limit=1),
}


def both(state, kind, seed, *budgets):
    search = ramify.Search(state, f"mcts(allocation={kind})", seed=seed)
    slow = KINDS[kind](state, seed)
    for budget in budgets:
        report = search.run(ramify.Budget(simulations=budget))
        slow.simulations = slow.calls = slow.cut = 0
        before = slow.root.visits
        slow.run(budget)
        if kind == "shot":
            assert slow.root.visits - before == budget
        order_visits_first(slow, kind, budget)
        assert_equal_trees(search.workers[0], slow)
        assert report.move.code == slow.root.children[0].move.code
    return slow


def order_visits_first(slow, kind, budget):
    """A root that was searched by UCT alone is left with the most visited move first."""
    if budget <= slow.most:
        slow.root.children.sort(key=lambda child: (-child.visits, -naive_shot.mean(child)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", GAMES)
def test_the_trees_are_the_same(game, kind):
    for seed, budget in enumerate(BUDGETS):
        both(GAMES[game](), kind, seed, budget)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", ["tictactoe", "chance", "three players", "near the end"])
def test_a_search_goes_on_from_what_it_knows(game, kind):
    both(GAMES[game](), kind, 3, 40, 1, 70, 7)
