"""The compiled engine and the naive one grow the same tree from the same seed."""

import itertools
from functools import lru_cache

import pytest

import ramify
from ramify.agents.worker import Worker
from tests import toys
from tests.oracle import naive

load = lru_cache(ramify.load)

THRESHOLDS = (0, 1, 2, 5)
FPUS = (10_000.0, 0.6)
CONSTANTS = (0.0, 0.7, 1.4)
EVERYTHING = list(itertools.product(THRESHOLDS, FPUS, CONSTANTS))
SOME = [(0, 10_000.0, 0.7), (1, 10_000.0, 0.7), (1, 0.6, 1.4), (2, 10_000.0, 0.0), (5, 0.6, 0.7)]


def assert_equal_trees(worker: Worker, other: naive.Search) -> None:
    """Every node: move, visits, total, mover, chance; children in the same order."""
    waiting = [(0, other.root, "root")]
    while waiting:
        k, node, where = waiting.pop()
        row = worker.nodes[k]
        assert int(row["visits"]) == node.visits, where
        assert float(row["total"]) == node.total, where
        assert float(row["chance"]) == node.chance, where
        children = worker.children(k)
        numbers = range(children.start, children.stop)
        if node.children is None:
            assert row["first"] == -1, where
        elif not node.children:
            assert row["first"] == -2, where
        else:
            assert row["mover"] == node.mover, where
            moves = [child.move.code for child in node.children]
            assert [int(worker.nodes["move"][j]) for j in numbers] == moves, where
            waiting.extend((j, child, f"{where} {child.move}") for j, child in zip(numbers, node.children, strict=True))
    for counter in ("nodes", "simulations", "calls", "deepest", "cut"):
        assert int(worker.counters[counter][0]) == getattr(other, counter), counter
    assert int(worker.rng[0]) == other.rng.state


def compare(state, simulations, seed=1, *, threshold=1, fpu=10_000.0, c=0.7, limit=100_000, draw=naive.uniform):
    agent = ramify.agent(
        "mcts",
        select={"name": "ucb1", "c": c},
        fpu=fpu,
        expand_threshold=threshold,
        playout={"name": "uniform", "limit": limit},
    )
    search = ramify.Search(state, agent, seed=seed)
    search.run(ramify.Budget(simulations=simulations))
    slow = naive.Search(state, seed, c, fpu, threshold, limit, draw).run(simulations)
    assert_equal_trees(search.workers[0], slow)
    return slow


@pytest.mark.parametrize(("threshold", "fpu", "c"), EVERYTHING)
def test_tictactoe(threshold, fpu, c):
    compare(load("tictactoe").initial(), 100, threshold=threshold, fpu=fpu, c=c)


def test_tictactoe_played_to_the_end_of_the_tree():
    """Enough simulations near the end of a game that finished positions are visited again and again."""
    slow = compare(load("tictactoe").position("xo./.x./..o"), 800, seed=7)
    assert slow.deepest == 5


@pytest.mark.parametrize(("threshold", "fpu", "c"), SOME)
def test_connect4(threshold, fpu, c):
    compare(load("connect4").initial(), 60, seed=2, threshold=threshold, fpu=fpu, c=c)


@pytest.mark.parametrize(("threshold", "fpu", "c"), SOME)
def test_breakthrough(threshold, fpu, c):
    compare(load("breakthrough(rows=5, columns=4)").initial(), 50, seed=3, threshold=threshold, fpu=fpu, c=c)


def test_breakthrough_on_a_board_of_two_words():
    compare(load("breakthrough(rows=5, columns=13)").initial(), 25, seed=4, draw=naive.reservoir)


@pytest.mark.parametrize(("threshold", "fpu", "c"), EVERYTHING)
def test_chance(threshold, fpu, c):
    compare(toys.load("dice_race").initial(), 60, seed=5, threshold=threshold, fpu=fpu, c=c)


def test_chance_deep_in_the_tree():
    slow = compare(toys.load("dice_race(goal=3)").initial(), 1000, seed=6)
    assert slow.deepest >= 8


@pytest.mark.parametrize(("threshold", "fpu", "c"), EVERYTHING)
def test_three_players(threshold, fpu, c):
    compare(toys.load("three_heaps").initial(), 60, seed=8, threshold=threshold, fpu=fpu, c=c)


@pytest.mark.parametrize("limit", [0, 1, 3])
def test_a_playout_is_cut_at_its_limit(limit):
    slow = compare(toys.load("three_heaps").initial(), 200, seed=9, limit=limit)
    assert 0 < slow.cut <= 200


@pytest.mark.parametrize("threshold", [0, 2])
def test_a_game_of_python_objects(threshold):
    compare(toys.load("nim_class").initial(), 300, seed=10, threshold=threshold)


@pytest.mark.parametrize("seed", [0, 1, -1, 2**31, 2**64 - 1, 2**64 + 5])
def test_any_whole_number_is_a_seed(seed):
    compare(load("tictactoe").initial(), 30, seed=seed)


def test_a_threshold_of_zero_expands_a_leaf_at_its_first_visit():
    """Only the leaf below a node expanded in the same simulation must wait: a simulation expands one node at most."""
    root = compare(load("tictactoe").initial(), 9, threshold=0).root
    assert [child.children is None for child in root.children].count(True) == 1
    root = compare(load("tictactoe").initial(), 9, threshold=1).root
    assert all(child.children is None for child in root.children)
