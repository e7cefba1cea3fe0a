"""The open loop and the naive one grow the same tree from the same seed; without chance it is the sequential one's."""

from functools import lru_cache
from math import sqrt

import pytest

import ramify
from ramify.agents.search.worker import Worker
from ramify.agents.shapes.open_loop import OpenLoopShape
from ramify.agents.shapes.tree import TreeShape
from ramify.contract.compiled_game import CompiledGame
from ramify.contract.python_game import PythonGame
from ramify.core.search.tree import ROOT
from ramify.errors import RamifyError
from ramify.strategies.policy import registry as selection
from ramify.strategies.policy.policy import policy
from tests import toys
from tests.oracle import naive, naive_open
from tests.oracle.test_engine import assert_equal_trees

load = lru_cache(ramify.load)

COUNTERS = ("simulations", "calls", "max_depth", "cut_playouts")
KEPT = ("simulations", "calls", "cut_playouts")  # a path that is forgotten may have been the longest


def assert_equal_open_trees(worker: Worker, other: naive_open.Search, counters=COUNTERS) -> None:
    """Every node: who moves to it, move, visits, total, squares; of the last simulation also the order of children."""
    waiting = [(ROOT, other.root, "root")]
    while waiting:
        k, node, where = waiting.pop()
        row = worker.tree.nodes[k]
        assert int(row["visits"]) == node.visits, where
        assert float(row["total"]) == node.total, where
        if worker.parts.selectors.squares and k:
            assert worker.tree.columns[0, k] == node.squares, where
        children = worker.tree.children(k)
        numbers = range(children.start, children.stop)
        found = {(int(worker.tree.nodes["tag"][j]), int(worker.tree.nodes["move"][j])): j for j in numbers}
        assert found.keys() == node.known.keys(), where
        assert len(found) == len(numbers), where
        if found:
            live = numbers[: int(row["live"])]
            legal = [child.move.code for child in node.children]
            assert [int(worker.tree.nodes["move"][j]) for j in live] == legal, where
            assert row["mover"] == node.mover, where
        waiting.extend((found[key], child, f"{where} {child.move}") for key, child in node.known.items())
    for counter in counters:
        assert int(worker.counters[counter][0]) == getattr(other, counter), counter
    assert int(worker.counters["nodes"][0]) >= other.nodes
    assert int(worker.rng[0]) == other.rng.state


def compare(state, simulations, seed=1, *, threshold=1, fpu=10_000.0, c=0.7, limit=100_000, oracle=naive_open.Search):
    agent = f"mcts(select=ucb1(c={c}), fpu={fpu}, expand_threshold={threshold}, playout=uniform(limit={limit}))"
    search = ramify.Search(state, ramify.agent(agent, chance="open_loop"), seed=seed)
    search.run(ramify.Budget(simulations=simulations))
    slow = oracle(state, seed, c, fpu, threshold, limit).run(simulations)
    return search, slow


@pytest.mark.parametrize("threshold", [0, 1, 3])
@pytest.mark.parametrize(("fpu", "c"), [(10_000.0, 0.7), (0.6, 1.4)])
@pytest.mark.parametrize("name", ["storm", "dice_race", "dice_duel"])
def test_chance(name, threshold, fpu, c):
    search, slow = compare(toys.load(name).initial(), 200, seed=5, threshold=threshold, fpu=fpu, c=c)
    assert_equal_open_trees(search.workers[0], slow)


def test_a_node_meets_moves_of_either_player_and_moves_that_come_and_go():
    search, slow = compare(toys.load("storm").initial(), 500, seed=6)
    assert_equal_open_trees(search.workers[0], slow)
    nodes = [*slow.root.known.values()]
    nodes += [child for node in nodes for child in node.known.values()]
    assert any(len({player for player, _ in node.known}) == 2 for node in nodes)
    assert any(len(node.known) > len(node.children) > 0 for node in nodes)


def test_pig_and_a_limit():
    search, slow = compare(load("pig(target=15)").initial(), 150, seed=7, limit=8)
    assert_equal_open_trees(search.workers[0], slow)
    assert slow.cut_playouts > 0


@pytest.mark.parametrize("name", ["pig(winscore=15)", "backgammon"])
def test_games_of_openspiel(name):
    pytest.importorskip("pyspiel")
    state = ramify.load(f"openspiel:{name}").initial()
    while state.to_move == ramify.CHANCE:
        state = state.play(state.moves()[0])
    search, slow = compare(state, 60, seed=9)
    assert_equal_open_trees(search.workers[0], slow)


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "three_heaps", "nim_class"])
@pytest.mark.parametrize("threshold", [0, 2])
def test_without_chance_the_loop_itself_grows_the_sequential_tree(monkeypatch, name, threshold):
    for kind in (CompiledGame, PythonGame):
        monkeypatch.setattr(kind, "has_chance", True, raising=False)
    game = load(name) if name in ("tictactoe", "connect4") else toys.load(name)
    search, slow = compare(game.initial(), 150, seed=8, threshold=threshold, oracle=naive.Search)
    assert isinstance(search.workers[0].shape, OpenLoopShape)
    assert_equal_trees(search.workers[0], slow)


def test_without_chance_the_sequential_loop_is_used():
    state = load("connect4").initial()
    searches = [ramify.Search(state, f"uct(chance={chance})", seed=3) for chance in ("open_loop", "explicit")]
    for search in searches:
        search.run(ramify.Budget(simulations=500))
        assert isinstance(search.workers[0].shape, TreeShape)
    one, other = (search.workers[0].tree.nodes[:200].tolist() for search in searches)
    assert one == other


def test_a_tree_that_grows_is_the_same_tree():
    """A simulation that finds no room is begun again, and nothing shows it."""
    state = toys.load("storm").initial()
    slow = naive_open.Search(state, 11).run(600)
    search = ramify.Search(state, "uct(chance=open_loop)", seed=11)
    worker = search.workers[0]
    worker.tree.nodes, worker.tree.columns = worker.tree._allocate(24)
    worker.memory.addresses = worker.memory._addresses()
    worker.tree.clear()
    worker.memory.max_nodes = lambda budget: len(worker.tree.nodes) + worker.shape.max_new_nodes + 100
    search.run(ramify.Budget(simulations=600))
    assert_equal_open_trees(worker, slow)


def follow(state, slow, simulations, moves):
    """A search along a game, a run before each move of a player, in lockstep with the naive one."""
    search = ramify.Search(state, "uct(chance=open_loop)", seed=slow.seed)
    for k in range(moves):
        if slow.state.over:
            break
        if slow.state.to_move != ramify.CHANCE:
            search.run(ramify.Budget(simulations=simulations))
            slow.run(simulations)
        assert_equal_open_trees(search.workers[0], slow, KEPT)
        codes = slow.state.moves()
        move = codes[k % len(codes)]
        search.advance(move)
        slow.advance(move)
        assert_equal_open_trees(search.workers[0], slow, KEPT)
        assert search.state == slow.state
    return search


def test_a_tree_is_kept_along_a_game():
    """After an outcome of chance the root has the moves that are legal then, new ones among them, and no others."""
    state = toys.load("storm").initial()
    slow = naive_open.Search(state, 12)
    follow(state, slow, 100, 12)
    state = load("pig(target=20)").initial()
    follow(state, naive_open.Search(state, 13), 50, 8)


@pytest.mark.parametrize("game", [toys.load("storm"), load("pig(target=15)")])
def test_what_is_recommended_is_legal(game):
    search = ramify.Search(game.initial(), "uct(chance=open_loop)", seed=14)
    k = 0
    while not search.state.over:
        k += 1
        if search.state.to_move == ramify.CHANCE:
            search.advance(search.state.moves()[2 + k % 2])
            continue
        report = search.run(ramify.Budget(simulations=100))
        assert {child.move for child in report.children} == set(search.state.moves())
        after = search.state
        for move in report.variation:
            after = after.play(move)
        assert report.to_dict()["variation"]
        assert all(node.state.over or node.children() is not None for node in report.tree().walk())
        search.advance(report.move)


def spread(N, n, m, s, c=0.5):
    """A policy that needs the deviation and N."""
    return m + c * s * sqrt(sqrt(N) / n) + 0.1 * sqrt(sqrt(N) / n)


def test_columns_beside_the_tree_go_with_their_children(monkeypatch):
    monkeypatch.setitem(selection.policies(), "spread", policy(spread))
    state = toys.load("storm").initial()
    search = ramify.Search(state, "mcts(select=spread(c=0.9), chance=open_loop)", seed=15)
    search.run(ramify.Budget(simulations=600))
    slow = naive_open.Search(state, 15, c=0.9, policy=spread).run(600)
    assert_equal_open_trees(search.workers[0], slow)


@pytest.mark.parametrize(
    "agent",
    [
        *(
            "mcts(select=rave, chance=open_loop)",
            "mcts(select=grave, chance=open_loop)",
            "mcts(select=exp3, chance=open_loop)",
        ),
        *("mcts(select=thompson, chance=open_loop)", "mcts(select=discounted_ucb, chance=open_loop)"),
        "mcts(allocation=sequential_halving, chance=open_loop)",
        "mcts(allocation=uct_sqrt_sh, chance=open_loop)",
        "mcts(playout=ngram, chance=open_loop)",
        "mcts(reward=relative_bonus, chance=open_loop)",
    ],
)
@pytest.mark.parametrize("name", ["storm", "pig(target=12)"])
def test_every_strategy_that_makes_sense_works(agent, name):
    """Whatever it does, every simulation is counted once at every level, and chunks change nothing."""
    game = toys.load(name) if name == "storm" else load(name)
    whole = ramify.Search(game.initial(), agent, seed=16)
    report = whole.run(ramify.Budget(simulations=400))
    assert sum(child.visits for child in report.children) == report.simulations > 390
    assert_sound(whole.workers[0])


def assert_sound(worker: Worker) -> None:
    """The visits of a node are those of its children and of the simulations that ended there."""
    waiting = [ROOT]
    while waiting:
        node = waiting.pop()
        row = worker.tree.nodes[node]
        below = [(move, k, visits) for move, k, visits in worker.tree.moves(node) if visits]
        assert sum(visits for _, _, visits in below) <= row["visits"]
        waiting += [k for _, k, _ in below]


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        ("mcts(chance=open_loop, prove=true)", "which proves scores of one position"),
        ("mcts(chance=open_loop, transpositions=uct1)", "which shares single positions"),
        ("mcts(chance=open_loop, allocation=shot)", "which continues from the position of a node"),
        ("mcts(chance=open_loop, select=puct)", "whose priors belong to one position"),
    ],
)
def test_what_needs_one_position_is_refused(agent, reason):
    with pytest.raises(RamifyError, match=reason):
        ramify.Search(load("pig").initial(), agent)
    ramify.Search(load("tictactoe").initial(), agent)


def test_joint_moves_are_refused():
    state = load("goofspiel(cards=3)").initial()
    with pytest.raises(RamifyError, match="the simultaneous moves of goofspiel"):
        ramify.Search(
            state.play(state.moves()[0]) if state.to_move == ramify.CHANCE else state, "uct(chance=open_loop)"
        )
