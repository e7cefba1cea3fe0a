"""The compiled engine and the naive one grow the same tree from the same seed."""

import itertools
from functools import lru_cache
from math import log, sqrt

import pytest

import ramify
from ramify.agents.search.worker import Worker
from ramify.agents.shapes.tree_arrays import INITIAL_NODES
from ramify.core.kernels.compiling import JIT
from ramify.strategies.policy import registry as selection
from ramify.strategies.policy.policy import policy
from tests import toys
from tests.oracle import naive

load = lru_cache(ramify.load)

THRESHOLDS = (0, 1, 2, 5)
FPUS = (10_000.0, 0.6)
CONSTANTS = (0.0, 0.7, 1.4)
EVERYTHING = list(itertools.product(THRESHOLDS, FPUS, CONSTANTS))
SOME = [(0, 10_000.0, 0.7), (1, 10_000.0, 0.7), (1, 0.6, 1.4), (2, 10_000.0, 0.0), (5, 0.6, 0.7)]


def assert_equal_trees(worker: Worker, other: naive.Search) -> None:
    """Every node: move, visits, total, squares, mover, chance; children in the same order."""
    waiting = [(0, other.root, "root")]
    while waiting:
        k, node, where = waiting.pop()
        row = worker.tree.nodes[k]
        assert int(row["visits"]) == node.visits, where
        assert float(row["total"]) == node.total, where
        assert float(row["chance"]) == node.chance, where
        if worker.parts.selectors.squares and k:
            assert worker.tree.columns[0, k] == node.squares, where
        children = worker.tree.children(k)
        numbers = range(children.start, children.stop)
        if node.children is None:
            assert row["first"] == -1, where
        elif not node.children:
            assert row["first"] == -2, where
        else:
            assert row["mover"] == node.mover, where
            moves = [child.move.code for child in node.children]
            assert [int(worker.tree.nodes["move"][j]) for j in numbers] == moves, where
            waiting.extend((j, child, f"{where} {child.move}") for j, child in zip(numbers, node.children, strict=True))
    for counter in ("nodes", "simulations", "calls", "max_depth", "cut_playouts"):
        assert int(worker.counters[counter][0]) == getattr(other, counter), counter
    assert int(worker.rng[0]) == other.rng.state


def compare(
    state, simulations, seed=1, *, threshold=1, fpu=10_000.0, c=0.7, limit=100_000, draw=naive.uniform, own=None
):
    agent = ramify.agent(
        "mcts",
        select={"name": "ucb1", "c": c},
        fpu=fpu,
        expand_threshold=threshold,
        playout={"name": "uniform", "limit": limit},
    )
    search = ramify.Search(state, agent, seed=seed)
    search.run(ramify.Budget(simulations=simulations))
    slow = naive.Search(state, seed, c, fpu, threshold, limit, draw, own_playout=own).run(simulations)
    assert_equal_trees(search.workers[0], slow)
    return slow


@pytest.mark.parametrize(("threshold", "fpu", "c"), EVERYTHING)
def test_tictactoe(threshold, fpu, c):
    compare(load("tictactoe").initial(), 100, threshold=threshold, fpu=fpu, c=c)


def test_tictactoe_played_to_the_end_of_the_tree():
    """Enough simulations near the end of a game that finished positions are visited again and again."""
    slow = compare(load("tictactoe").position("xo./.x./..o"), 800, seed=7)
    assert slow.max_depth == 5


@pytest.mark.parametrize(("threshold", "fpu", "c"), SOME)
def test_connect4(threshold, fpu, c):
    compare(load("connect4").initial(), 60, seed=2, threshold=threshold, fpu=fpu, c=c)


@pytest.mark.parametrize(("threshold", "fpu", "c"), SOME)
def test_breakthrough(threshold, fpu, c):
    compare(load("breakthrough(rows=5, columns=4)").initial(), 50, seed=3, threshold=threshold, fpu=fpu, c=c)


def test_breakthrough_on_a_board_of_two_words():
    compare(load("breakthrough(rows=5, columns=13)").initial(), 25, seed=4, draw=naive.reservoir)


@pytest.mark.parametrize(("threshold", "fpu", "c"), SOME)
def test_sos(threshold, fpu, c):
    compare(load("sos(n=8)").initial(), 100, seed=31, threshold=threshold, fpu=fpu, c=c)


@pytest.mark.parametrize(("threshold", "fpu", "c"), SOME)
def test_pig(threshold, fpu, c):
    compare(load("pig(target=15)").initial(), 60, seed=32, threshold=threshold, fpu=fpu, c=c)


@pytest.mark.parametrize("name", ["hex(size=4)", "othello"])
def test_a_game_with_a_playout_of_its_own(name):
    compare(load(name).initial(), 60, seed=33, own=naive.own)


def test_a_limit_is_kept_by_a_game_with_a_playout_of_its_own():
    """It then plays as any other game."""
    slow = compare(load("hex(size=4)").initial(), 60, seed=34, limit=9)
    assert 0 < slow.cut_playouts < 60


@pytest.mark.parametrize(("threshold", "fpu", "c"), EVERYTHING)
def test_chance(threshold, fpu, c):
    compare(toys.load("dice_race").initial(), 60, seed=5, threshold=threshold, fpu=fpu, c=c)


def test_chance_deep_in_the_tree():
    slow = compare(toys.load("dice_race(goal=3)").initial(), 1000, seed=6)
    assert slow.max_depth >= 8


@pytest.mark.parametrize(("threshold", "fpu", "c"), EVERYTHING)
def test_three_players(threshold, fpu, c):
    compare(toys.load("three_heaps").initial(), 60, seed=8, threshold=threshold, fpu=fpu, c=c)


@pytest.mark.parametrize("limit", [1, 3])
def test_a_playout_is_cut_at_its_limit(limit):
    slow = compare(toys.load("three_heaps").initial(), 200, seed=9, limit=limit)
    assert 0 < slow.cut_playouts <= 200


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


def spread(N, n, m, s, c=0.5):
    """A policy that needs the deviation, for what no policy of ours asks."""
    return m + c * s * sqrt(log(N) / n) + 0.1 * sqrt(log(N) / n)


@pytest.fixture
def spread_agent(monkeypatch):
    monkeypatch.setitem(selection.policies(), "spread", policy(spread))
    return "mcts(select=spread(c=0.9))"


@pytest.mark.parametrize("name", ["three_heaps", "dice_race"])
def test_a_policy_that_asks_for_the_deviation(spread_agent, name):
    state = toys.load(name).initial()
    search = ramify.Search(state, spread_agent, seed=11)
    search.run(ramify.Budget(simulations=300))
    slow = naive.Search(state, 11, c=0.9, policy=spread).run(300)
    assert_equal_trees(search.workers[0], slow)


def follow(state, agent, slow, simulations, moves):
    """A search along a game, a run before each move, in lockstep with the naive one."""
    search = ramify.Search(state, agent, seed=slow.seed)
    for choose in moves:
        if state.to_move != ramify.CHANCE:
            search.run(ramify.Budget(simulations=simulations))
            slow.run(simulations)
        assert_equal_trees(search.workers[0], slow)
        move = choose(slow.root, slow.state)
        search.advance(move)
        slow.advance(move)
        assert_equal_trees(search.workers[0], slow)
        state = slow.state
    return search


def most(root, state):
    return max(root.children, key=lambda child: child.visits).move


def least(root, state):
    return min(root.children, key=lambda child: child.visits).move


def likeliest(root, state):
    return max(state.chance_outcomes(), key=lambda outcome: outcome[1])[0]


def last(root, state):
    return state.moves()[-1]


def test_a_tree_is_kept_along_a_game():
    state = load("tictactoe").initial()
    slow = naive.Search(state, 21)
    search = follow(state, "uct", slow, 150, [most, most, least, most])
    assert slow.state == search.state


def test_a_move_never_tried_starts_anew():
    state = load("connect4").initial()
    slow = naive.Search(state, 22)
    search = follow(state, "uct", slow, 5, [last])
    assert slow.root == naive.Node()
    assert search.workers[0].counters["nodes"][0] == 1


def test_a_tree_is_kept_through_chance():
    state = toys.load("dice_race").initial()
    slow = naive.Search(state, 23)
    follow(state, "uct", slow, 200, [most, likeliest, most, likeliest])
    assert slow.root.visits > 0


def test_sums_of_squares_are_kept_and_forgotten_with_the_tree(spread_agent):
    """Old sums must not be found in a new tree, neither behind a copied one nor after a start from nothing."""
    state = toys.load("three_heaps").initial()
    slow = naive.Search(state, 24, c=0.9, policy=spread)
    follow(state, spread_agent, slow, 100, [most, least, most, last, most])


@pytest.mark.skipif(not JIT, reason="21 000 simulations, which plain Python is too slow for")
def test_a_kept_tree_goes_on_growing_beyond_its_first_array():
    state = load("tictactoe").initial()
    search = ramify.Search(state, "uct", seed=25)
    search.run(ramify.Budget(simulations=20_000))
    assert len(search.workers[0].tree.nodes) > INITIAL_NODES
    before = search.workers[0].tree.nodes["visits"][1:10].sum()
    search.advance(search.report().move)
    kept = int(search.workers[0].tree.nodes["visits"][0])
    report = search.run(ramify.Budget(simulations=1000))
    assert before == 20_000
    assert sum(child.visits for child in report.children) == kept - 1 + 1000


@pytest.mark.parametrize("fpu", [10_000.0, 0.5])
def test_a_crowd_of_children(fpu):
    """Where most of many children have not been visited, the engine draws until it finds one of those."""
    slow = compare(load("amazons(size=6)").initial(), 40, seed=35, fpu=fpu, own=naive.own)
    assert slow.nodes > 300
