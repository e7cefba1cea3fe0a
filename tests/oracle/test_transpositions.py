"""Transpositions in the compiled engine and in a search with a dictionary: the same graph from the same seed."""

from functools import lru_cache, partial

import numpy as np
import pytest

import ramify
from ramify.agents.budgets import chunk_size
from ramify.agents.hooks.amaf import COUNTS, TABLE_OF, TOTALS
from ramify.agents.search.worker import Worker
from ramify.agents.shapes import graph
from ramify.agents.shapes import tree_arrays as trees
from tests import toys
from tests.oracle import naive, naive_graph, naive_rave
from tests.oracle.test_engine import last, least, likeliest, most

load = lru_cache(ramify.load)

GAMES = {
    "tictactoe": lambda: load("tictactoe").initial(),
    "near the end": lambda: load("tictactoe").position("xo./.x./..o"),
    "connect4": lambda: load("connect4").initial(),
    "a key": lambda: load('nim(heaps="2-3-2")').initial(),
    "one player": lambda: load("eight_puzzle(rows=2, columns=2)").initial(),
    "three players": lambda: toys.load("three_heaps").initial(),
    "three players, one heap": lambda: toys.load("last_bean").initial(),
    "chance": lambda: toys.load("dice_race").initial(),
    "pig": lambda: load("pig(target=12)").initial(),
    "objects": lambda: toys.load("nim_class").initial(),
    "circles": lambda: toys.load("ring").initial(),
}
VARIANTS = {"uct1": naive_graph.Search, "uct2": naive_graph.Search2}
RAVE = {"uct1": naive_graph.Rave, "uct2": naive_graph.Rave2}


def assert_equal_graphs(worker: Worker, slow: naive_graph.Graph) -> None:
    """Every edge and every position, each reached by one path; edges share positions where the naive ones do."""
    nodes = worker.tree.nodes
    squares = worker.tree.columns[0] if worker.parts.selectors.squares else None
    places: dict[int, naive_graph.Position] = {}
    waiting = [(0, slow.root, "root")]
    while waiting:
        k, edge, where = waiting.pop()
        row = nodes[k]
        assert int(row["visits"]) == edge.visits, where
        assert float(row["total"]) == edge.total, where
        assert float(row["chance"]) == edge.chance, where
        if squares is not None and k:
            assert squares[k] == edge.squares, where
        if not edge.children:
            assert row["first"] == (-1 if edge.children is None else -2), where
            continue
        first = int(row["first"])
        assert row["mover"] == edge.mover, where
        if first in places:
            assert places[first] is edge.position, where
            continue
        assert all(known is not edge.position for known in places.values()), where
        places[first] = edge.position
        assert nodes["visits"][first - 1] == edge.position.visits, where
        if slow.means:
            assert nodes["total"][first - 1] == edge.position.total, where
        numbers = range(first, first + int(row["live"]))
        assert [int(nodes["move"][j]) for j in numbers] == [child.move.code for child in edge.children], where
        waiting += [(j, child, f"{where} {child.move}") for j, child in zip(numbers, edge.children, strict=True)]
    for counter in ("nodes", "simulations", "calls", "max_depth", "cut_playouts"):
        assert int(worker.counters[counter][0]) == getattr(slow, counter), counter
    assert worker.shape.transposition_hits == slow.shared
    assert int(worker.shape.block["used"][0]) == len(slow.known)
    assert int(worker.rng[0]) == slow.rng.state


def compare(state, simulations, variant, seed=1, *, threshold=1, fpu=10_000.0, c=0.7, own=None):
    agent = ramify.agent(
        "mcts", transpositions=variant, select={"name": "ucb1", "c": c}, fpu=fpu, expand_threshold=threshold
    )
    search = ramify.Search(state, agent, seed=seed)
    search.run(ramify.Budget(simulations=simulations))
    slow = VARIANTS[variant](state, seed, c, fpu, threshold, own_playout=own).run(simulations)
    assert_equal_graphs(search.workers[0], slow)
    return slow


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("game", GAMES)
def test_the_graphs_are_the_same(game, variant):
    assert compare(GAMES[game](), 400, variant).shared > 0


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("threshold", [0, 2, 5])
@pytest.mark.parametrize("game", ["near the end", "a key", "three players", "chance", "circles"])
def test_thresholds(game, threshold, variant):
    for seed, (fpu, c) in enumerate([(10_000.0, 0.0), (0.6, 1.4)]):
        compare(GAMES[game](), 150, variant, seed, threshold=threshold, fpu=fpu, c=c)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_with_a_playout_of_its_own(variant):
    compare(load("othello").initial(), 300, variant, 12, own=naive.own)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_crowd_of_children_is_not_looked_at_while_few_were_visited(variant):
    """How many can have been visited is known by the visits of the position, not of the edge."""
    compare(toys.load("crowd").initial(), 500, variant)


def test_a_path_that_goes_in_circles_ends():
    slow = compare(GAMES["circles"](), 700, "uct2")
    assert slow.max_depth < 20
    assert slow.nodes <= 1 + 3 * 2 * 2 * 7  # two moves, and who moved there, of every place and player


def follow(state, agent, slow, simulations, moves):
    search = ramify.Search(state, agent, seed=slow.seed)
    for choose in moves:
        if state.to_move != ramify.CHANCE:
            search.run(ramify.Budget(simulations=simulations))
            slow.run(simulations)
        assert_equal_graphs(search.workers[0], slow)
        move = choose(slow.root, slow.state)
        search.advance(move)
        slow.advance(move)
        assert_equal_graphs(search.workers[0], slow)
        state = slow.state
    return slow


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("tictactoe", [most, most, least, most]),
        ("connect4", [most, last, most]),
        ("a key", [most, most, most]),
        ("chance", [most, likeliest, most, likeliest]),
        ("circles", [most, least, least]),
        ("three players", [most, least, most]),
    ],
)
def test_a_graph_is_kept_along_a_game(game, moves, variant):
    state = GAMES[game]()
    slow = follow(state, f"mcts(transpositions={variant})", VARIANTS[variant](state, 21), 250, moves)
    assert slow.root.visits > 0


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_move_never_tried_starts_anew(variant):
    state = load("connect4").initial()
    slow = follow(state, f"mcts(transpositions={variant})", VARIANTS[variant](state, 22), 5, [last])
    assert slow.nodes == 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_reward_that_counts_plies_shares_positions_of_one_ply_only(variant):
    """In Nim a position may be reached in different numbers of moves."""
    state = load('nim(heaps="3-4-3")').initial()
    found = {}
    for reward in ("score", "discount(factor=1.0)"):
        slow = VARIANTS[variant](state, 31)
        slow.timed = reward != "score"
        follow(state, f"mcts(transpositions={variant}, reward={reward})", slow, 400, [most])
        found[reward] = slow.shared
    assert 0 < found["discount(factor=1.0)"] < found["score"]


def assert_equal_sums(worker, slow):
    """Class, S and R of every child, and which nodes have tables."""
    columns = worker.tree.columns[-worker.parts.amaf.column_count :]
    counts, totals, table_of = (columns[which] for which in (COUNTS, TOTALS, TABLE_OF))
    seen, waiting = set(), [(0, slow.root)]
    while waiting:
        k, edge = waiting.pop()
        assert (table_of.view(np.int64)[k] > 0) == (edge.table is not None)
        if k and edge.kind >= 0:
            assert (counts[k], totals[k]) == (edge.S, edge.R)
        first = worker.tree.children(k).start
        if edge.children and first not in seen:
            seen.add(first)
            waiting += enumerate(edge.children, start=first)


@pytest.mark.parametrize("variant", RAVE)
@pytest.mark.parametrize(
    ("select", "formula", "ref"),
    [
        ("rave(final=20)", partial(naive_rave.rave, final=20.0), None),
        ("rave_only", naive_rave.rave_only, None),
        ("grave(ref=5)", partial(naive_rave.rave, c=0.0), 5),
    ],
)
@pytest.mark.parametrize("game", ["near the end", "connect4", "a key", "three players", "chance", "circles"])
def test_all_moves_as_first(game, select, formula, ref, variant):
    state = GAMES[game]()
    agent = f"mcts(select={select}, transpositions={variant})"
    search = ramify.Search(state, agent, seed=41)
    slow = RAVE[variant](state, 41, formula=formula, ref=ref)
    for choose in (most, likeliest if game == "chance" else most):
        if slow.state.to_move != ramify.CHANCE:
            search.run(ramify.Budget(simulations=200))
            slow.run(200)
        assert_equal_graphs(search.workers[0], slow)
        assert_equal_sums(search.workers[0], slow)
        move = choose(slow.root, slow.state)
        search.advance(move)
        slow.advance(move)


def digest(search):
    worker = search.workers[0]
    used = int(worker.counters["nodes"][0])
    parts = (worker.tree.nodes[:used], worker.tree.columns[:, :used], worker.rng, worker.counters)
    return b"".join(part.tobytes() for part in parts)


AGENTS = [
    *("select=ucb1", "select=ucb1_tuned", "select=exp3", "select=accelerated_ucb", "select=rave"),
    *("select=grave(ref=3)", "allocation=sequential_halving", "allocation=gumbel", "allocation=uct_sqrt_sh"),
]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("agent", AGENTS)
def test_the_graph_is_the_same_whatever_the_chunks_and_the_room(monkeypatch, agent, variant):
    """One simulation at a time, in a tree and a table that grow again and again."""
    found = []
    for tiny in (False, True):
        if tiny:
            monkeypatch.setattr(chunk_size, "FIRST_CHUNK", 1)
            monkeypatch.setattr(chunk_size.ChunkSizer, "_planned", lambda self, rate, left: 1)
            monkeypatch.setattr(trees, "INITIAL_NODES", 16)
            monkeypatch.setattr(graph, "INITIAL_CAPACITY", 2)
        search = ramify.Search(load('nim(heaps="3-3-3")').initial(), f"mcts({agent}, transpositions={variant})", seed=4)
        search.run(ramify.Budget(simulations=300))
        search.advance(search.report().move)
        search.run(ramify.Budget(simulations=200))
        found.append(digest(search))
    assert found[0] == found[1]


@pytest.mark.parametrize("agent", AGENTS)
def test_under_uct2_every_edge_has_the_mean_of_its_position(agent):
    """Also where an allocation reorders the moves of the root."""
    search = ramify.Search(load('nim(heaps="3-3-3")').initial(), f"mcts({agent}, transpositions=uct2)", seed=5)
    search.run(ramify.Budget(simulations=500))
    search.run(ramify.Budget(simulations=500))
    nodes = search.workers[0].tree.nodes[: int(search.workers[0].counters["nodes"][0])]
    edges = nodes[1:][(nodes["tag"] == 0)[1:] & (nodes["first"][1:] >= 0) & (nodes["visits"][1:] > 0)]
    shared = nodes[edges["first"] - 1]
    assert len(np.unique(edges["first"])) < len(edges)
    assert (edges["total"] == edges["visits"] * (shared["total"] / shared["visits"])).all()
