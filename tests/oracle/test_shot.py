"""SHOT, its original and H-MCTS against a recursive transcription, node for node."""

from functools import lru_cache

import pytest

import ramify
from ramify.agents.budgets import chunk_size
from ramify.agents.shapes import shot
from ramify.agents.shapes import tree_arrays as trees
from ramify.core.kernels.compiling import JIT
from ramify.core.search.episode import MAX_DEPTH
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
CHANCE_GAMES = ("chance", "chance, short", "pig")
BUDGETS = (1, 2, 3, 5, 8, 9, 10, 13, 20, 33, 64, 100, 150, 301)
KINDS = {
    "shot": naive_shot.Shot,
    "shot_original": naive_shot.Original,
    "h_mcts(limit=5)": lambda *given: naive_shot.Hybrid(*given, limit=5),
    "h_mcts(limit=1)": lambda *given: naive_shot.Hybrid(*given, limit=1),
    **{f"shot(stop={stop})": lambda *given, stop=stop: naive_shot.Stopped(*given, stop=stop) for stop in (1, 12, 47)},
}


def both(state, kind, seed, *budgets):
    search = ramify.Search(state, f"mcts(allocation={kind})", seed=seed)
    slow = KINDS[kind](state, seed)
    for budget in budgets:
        report = search.run(ramify.Budget(simulations=budget))
        slow.simulations = slow.calls = slow.cut_playouts = 0
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


def digest(search):
    worker = search.workers[0]
    used = int(worker.counters["nodes"][0])
    parts = (worker.tree.nodes[:used], worker.tree.columns[:, :used], worker.rng, worker.counters)
    return b"".join(part.tobytes() for part in parts)


AGENTS = [
    "allocation=shot",
    "allocation=shot(stop=90)",
    "allocation=shot_original",
    "allocation=h_mcts(limit=6)",
    "allocation=h_mcts(limit=6), select=rave",
    "allocation=h_mcts(limit=9), select=grave(ref=3)",
    "allocation=h_mcts(limit=6), select=exp3",
    "allocation=h_mcts(limit=6), select=sufficiency_dynamic",
    "allocation=shot, reward=discount(factor=0.9)",
]


@pytest.mark.parametrize("game", ["near the end", "chance", "three players", "objects", "one move at a time"])
@pytest.mark.parametrize("agent", AGENTS)
def test_the_tree_is_the_same_whatever_the_chunks(monkeypatch, agent, game):
    """One simulation at a time, in a tree and on a stack that grow again and again."""
    state, found = GAMES[game](), []
    for tiny in (False, True):
        if tiny:
            monkeypatch.setattr(chunk_size, "FIRST_CHUNK", 1)
            monkeypatch.setattr(chunk_size.ChunkSizer, "_planned", lambda self, rate, left: 1)
            monkeypatch.setattr(shot, "INITIAL_CAPACITY", 2)
        search = ramify.Search(state, f"mcts({agent})", seed=4)
        search.run(ramify.Budget(simulations=200))
        search.run(ramify.Budget(simulations=55))
        found.append(digest(search))
    assert found[0] == found[1]


def test_a_tree_that_has_to_grow_is_the_same(monkeypatch):
    found = []
    for capacity in (1 << 16, 64):
        monkeypatch.setattr(trees, "INITIAL_NODES", capacity)
        search = ramify.Search(load("connect4").initial(), "mcts(allocation=shot)", seed=5)
        search.run(ramify.Budget(simulations=3000))
        found.append(digest(search))
    assert found[0] == found[1]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("select", ["ucb1(c=0.4)", "rave", "exp3", "ucb1, expand_threshold=3, fpu=0.6"])
def test_h_mcts_with_a_limit_not_below_the_budget_is_uct(game, select):
    state = GAMES[game]()
    trees_ = [moves_below(state, f"mcts({given}select={select})") for given in ("", "allocation=h_mcts(limit=300), ")]
    assert trees_[0] == trees_[1]


@pytest.mark.parametrize("game", GAMES)
def test_h_mcts_with_a_limit_of_0_is_shot(game):
    state = GAMES[game]()
    trees_ = [moves_below(state, f"mcts(allocation={kind})") for kind in ("shot", "h_mcts(limit=0)")]
    assert trees_[0] == trees_[1]


def moves_below(state, agent):
    """Every node by its moves, and the generator; the order of the root's children is left out."""
    search = ramify.Search(state, agent, seed=6)
    search.run(ramify.Budget(simulations=300))
    worker = search.workers[0]
    nodes, found, waiting = worker.tree.nodes, {}, [((), 0)]
    while waiting:
        path, k = waiting.pop()
        found[path] = (int(nodes["visits"][k]), float(nodes["total"][k]), worker.tree.columns[:, k].tobytes())
        children = worker.tree.children(k)
        waiting += [((*path, int(nodes["move"][j])), j) for j in range(children.start, children.stop)]
    return found, int(worker.rng[0]), worker.counters.tobytes()


WARM_UPS = [
    (game, order, sizes)
    for game in GAMES
    for order in ("depth_first", "breadth_first")
    for sizes in ((1,), (5,), (30, 1, 60), (150,), (3000,))
    if order == "depth_first" or game not in CHANCE_GAMES  # a queue has no budgets to divide among outcomes
    if max(sizes) <= 150 or game in ("near the end", "chance, short")  # which have fewer nodes
]


@pytest.mark.parametrize(("game", "order", "sizes"), WARM_UPS)
def test_a_warm_up_has_the_nodes_of_a_plain_search_in_order(game, order, sizes):
    """And halving goes on from them."""
    search = ramify.Search(GAMES[game](), f"mcts(allocation=shot(warm_up={order}))", seed=8)
    worker, slow = search.workers[0], naive_shot.Shot(GAMES[game](), 8)
    for size in sizes:
        worker.shape.discover_next(order)
        worker.runner.spend(ramify.Budget(simulations=size))
        slow.warm_up(order, size)
        if order == "breadth_first":  # the engine comes from the root again for every level
            slow.calls = int(worker.counters["calls"][0])
        assert_equal_trees(worker, slow)
    worker.runner.spend(ramify.Budget(simulations=70))
    slow.run(70)
    assert_equal_trees(worker, slow)


@pytest.mark.parametrize("game", CHANCE_GAMES)
def test_a_warm_up_breadth_first_in_games_of_chance(game):
    search = ramify.Search(GAMES[game](), "mcts(allocation=shot(warm_up=breadth_first))", seed=8)
    worker = search.workers[0]
    for size in (20, 50):
        worker.shape.discover_next("breadth_first")
        worker.runner.spend(ramify.Budget(simulations=size))
    visits = worker.tree.nodes["visits"]
    assert visits[0] == visits[worker.tree.children()].sum() == worker.counters["simulations"][0] <= 70
    assert (visits[worker.tree.children()] > 0).all()


@pytest.mark.skipif(not JIT, reason="8 million plies, which plain Python is too slow for")
@pytest.mark.parametrize("kind", ["shot", "shot_original", "h_mcts(limit=2)"])
def test_a_path_as_long_as_can_be_is_played_out_from_there(kind):
    state = toys.load(f"corridor(length={MAX_DEPTH + 50})").initial()
    report = ramify.search(state, f"mcts(allocation={kind})", simulations=MAX_DEPTH + 40, seed=1)
    assert report.simulations == MAX_DEPTH + 40
    assert report.depth == MAX_DEPTH
