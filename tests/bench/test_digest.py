"""What the signature reads of a search: everything in use, in an order of its own, and nothing else."""

import numpy as np
import pytest

from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search
from ramify.bench.signature.case import first_decision, game_of
from ramify.bench.signature.digest import number, walk, written


def searched(game, agent, simulations=300):
    search = Search(first_decision(game_of(game)), agent, seed=1)
    search.run(Budget(simulations=simulations))
    return search


def number_of(search):
    return number(written(search))


@pytest.mark.parametrize("agent", ["mcts(chance=open_loop)", "mcts(chance=open_loop, select=rave)"])
def test_places_that_nothing_leads_to_are_not_read(agent):
    search = searched("storm", agent)
    before = number_of(search)
    worker = search.workers[0]
    order = walk(worker.tree.nodes, shared=False)
    unused = np.setdiff1d(np.arange(len(worker.tree.nodes)), order)
    assert np.count_nonzero(unused < worker.counters["nodes"][0]) > 10  # children that moved to a larger place
    worker.tree.nodes.view(np.uint8).reshape(len(worker.tree.nodes), -1)[unused] = 85
    worker.tree.columns[:, unused] = 85.0
    assert number_of(search) == before


@pytest.mark.parametrize("agent", ["mcts(select=accelerated_ucb)", "mcts(select=rave)", "mcts(select=grave(ref=5))"])
def test_the_numbers_of_nodes_do_not_matter(agent):
    search = searched("connect4", agent)
    before = number_of(search)
    tree = search.workers[0].tree
    nodes, columns = tree.nodes.copy(), tree.columns.copy()
    order = walk(nodes, shared=False)
    inner = order[nodes["first"][order] >= 0]
    place = np.zeros(len(nodes), np.int64)
    used = 1
    for node in inner[::-1]:  # the last children first
        first, count = int(nodes["first"][node]), int(nodes["live"][node]) + int(nodes["hidden"][node])
        place[first : first + count] = np.arange(used, used + count)
        used += count
    tree.nodes[place[order]] = nodes[order]
    tree.columns[:, place[order]] = columns[:, order]
    tree.nodes["first"][place[inner]] = place[nodes["first"][inner]]
    assert not np.array_equal(tree.nodes[:used], nodes[:used])
    assert number_of(search) == before


def test_the_order_of_columns_does_not_matter():
    search = searched("connect4", "mcts(select=exp3, select_root=discounted_ucb)")
    before = number_of(search)
    columns = search.workers[0].tree.columns
    used = int(search.workers[0].counters["nodes"][0])
    rows = np.flatnonzero(columns[:, :used].any(axis=1))
    assert len(rows) > 1
    columns[rows] = columns[rows[::-1]]
    assert number_of(search) == before


def test_children_that_change_places_do_matter():
    search = searched("connect4", "uct")
    before = number_of(search)
    children = search.workers[0].tree.nodes[1:8]
    children[:] = children[::-1].copy()
    assert number_of(search) != before


@pytest.mark.parametrize("field", ["first", "live", "hidden", "move", "visits", "total", "chance", "mover", "tag"])
def test_every_field_of_a_node_counts(field):
    search = searched("connect4", "uct")
    before = number_of(search)
    nodes = search.workers[0].tree.nodes
    leaf = walk(nodes, shared=False)[-1]
    nodes[field][leaf] = -2 if field == "first" else 1 + nodes[field][leaf]
    assert nodes["first"][leaf] < 0
    assert number_of(search) != before


CHANGES = {
    "column": ("mcts(select=exp3)", lambda worker: worker.tree.columns[:, 3].__iadd__(1.0)),
    "generator": ("uct", lambda worker: worker.rng.__iadd__(np.uint64(1))),
    "memory of a policy": (
        "mcts(select=sufficiency_dynamic)",
        lambda worker: worker.parts.selectors.root_block["memory"].__iadd__(1.0),
    ),
    "table of an ancestor": (
        "mcts(select=grave(ref=5))",
        lambda worker: worker.parts.amaf.tables[0].__iadd__(1.0),
    ),
    "list of edges": ("mcts(transpositions=uct2)", lambda worker: worker.tree.columns[0].view(np.int64)[:2].fill(1)),
    "edges shared": ("mcts(transpositions=uct1)", lambda worker: worker.shape.block["hits"].__iadd__(1)),
    "averages": ("mcts(playout=mast)", lambda worker: learnt(worker).sums.__iadd__(1.0)),
    "N-grams": ("mcts(playout=ngram)", lambda worker: learnt(worker).pairs.sums.__iadd__(1.0)),
    "replies": ("mcts(playout=last_good_reply)", lambda worker: learnt(worker)._dense[0].__iadd__(1)),
    "samples of a reward": ("mcts(reward=relative_bonus)", lambda worker: worker.reward_block["count"].__iadd__(1.0)),
    "samples of a winner": (
        "mcts(reward=chain(first=discount, then=relative_bonus))",
        lambda worker: worker.reward_block["then"]["winners"]["mean"][..., 1].__iadd__(1.0),
    ),
    **{
        f"counter {name}": ("uct", lambda worker, name=name: worker.counters[name].__iadd__(1))
        for name in ("nodes", "simulations", "calls", "max_depth", "cut_playouts", "cut_calls")
    },
}


def learnt(worker):
    return worker.parts.hooks[-1].learning.tables[0]


@pytest.mark.parametrize("what", CHANGES)
def test_everything_else_that_is_kept_counts(what):
    agent, change = CHANGES[what]
    search = searched("connect4", agent)
    before = number_of(search)
    assert number_of(search) == before
    change(search.workers[0])
    assert number_of(search) != before


def test_every_tree_of_a_search_counts():
    search = Search(game_of("connect4").initial(), "uct", seed=1, threads=2)
    search.run(Budget(simulations=100))
    before = number_of(search)
    search.workers[1].rng[:] += np.uint64(1)
    assert number_of(search) != before


def test_a_table_of_another_kind_is_refused():
    search = searched("connect4", "mcts(playout=mast)")
    worker = search.workers[0]
    object.__setattr__(worker.parts.hooks[-1].learning, "tables", (object(),))
    with pytest.raises(TypeError, match="cannot read tables of type object"):
        number_of(search)


def test_nothing_has_no_number():
    assert number([]) is None
    assert number([b"ab", b"c"]) != number([b"a", b"bc"])
