"""Children that are not live: no policy sees them, and reordering takes everything along."""

import numpy as np
import pytest

import ramify
from ramify.core.search.tree import ROOT
from ramify.strategies.policy.registry import policies


def statistics(worker):
    """What is known of each move at the root: visits, total, columns, and the size of the tree below."""
    tree = worker.tree
    where = tree.children()
    rows = np.vstack([tree.nodes["visits"][where], tree.nodes["total"][where], tree.columns[:, where]])
    return {int(code): rows[:, k].tobytes() for k, code in enumerate(tree.nodes["move"][where])}


@pytest.mark.parametrize("policy", policies())
def test_no_policy_sees_hidden_children(policy):
    search = ramify.Search(ramify.load("connect4").initial(), f"mcts(select={policy})", seed=2)
    search.run(ramify.Budget(simulations=200))
    worker = search.workers[0]
    before = statistics(worker)
    order = np.array([5, 1, 0, 2, 3, 4, 6])
    codes = worker.tree.nodes["move"][worker.tree.children()].copy()
    worker.tree.reorder_children(order, 2)
    assert statistics(worker) == before
    assert worker.tree.nodes["move"][worker.tree.children()].tolist() == codes[order].tolist()
    visits = worker.tree.nodes["visits"][worker.tree.children()].copy()
    worker.runner.spend(ramify.Budget(simulations=100))
    gained = worker.tree.nodes["visits"][worker.tree.children()] - visits
    assert gained[:2].sum() == 100
    assert gained[2:].sum() == 0
    report = search.report()
    assert sum(child.visits for child in report.children) == 300


def test_a_pruned_root_is_whole_again_for_the_next_run_and_the_trees_below_stay_right():
    search = ramify.Search(ramify.load("connect4").initial(), "uct", seed=3)
    search.run(ramify.Budget(simulations=500))
    worker = search.workers[0]
    worker.tree.reorder_children(np.array([6, 5, 4, 3, 2, 1, 0]), 3)
    search.run(ramify.Budget(simulations=700))
    assert (int(worker.tree.nodes["live"][ROOT]), int(worker.tree.nodes["hidden"][ROOT])) == (7, 0)
    for node in search.report().tree().walk():
        if children := [child for child in node.children() if child.visits]:
            assert node.visits - sum(child.visits for child in children) in (0, 1)
            assert all(child.move in node.state.moves() for child in children)


def test_a_subtree_is_kept_with_its_hidden_children():
    search = ramify.Search(ramify.load("connect4").initial(), "mcts(select=rave)", seed=3)
    search.run(ramify.Budget(simulations=500))
    worker = search.workers[0]
    below = {str(child.move): child for child in search.report().tree().children()}["7"]
    visits, grandchildren = below.visits, {str(child.move): child.visits for child in below.children()}
    worker.tree.reorder_children(np.array([3, 0, 1, 2, 4, 5, 6]), 2)
    search.advance("7")  # a hidden one
    root = search.report().tree()
    assert (root.visits, {str(child.move): child.visits for child in root.children()}) == (visits, grandchildren)
    search.run(ramify.Budget(simulations=50))
    assert root.visits == visits + 50


def test_root_parallel_trees_of_different_order_are_added_by_move():
    search = ramify.Search(ramify.load("connect4").initial(), "uct", seed=4, threads=2)
    search.run(ramify.Budget(simulations=400))
    before = {str(child.move): (child.visits, child.value) for child in search.report().children}
    search.workers[1].tree.reorder_children(np.array([6, 0, 5, 1, 4, 2, 3]), 7)
    after = {str(child.move): (child.visits, child.value) for child in search.report().children}
    assert after == before


ALLOCATIONS = '''
from dataclasses import dataclass, replace

from time import perf_counter

import numpy as np

from ramify.grammar import Call
from ramify.strategies.base import Allocation


@dataclass(frozen=True)
class Second(Allocation):
    """Tries every child once, and returns the second, whatever it is worth."""

    chooses_move = True
    required_roles = ("recommend",)

    def default_strategies(self):
        return {"select": Call("ucb1", (("c", 0.3),))}

    def spend(self, budget, run, root):
        root.expand()
        root.expand()
        known = len(root.visits)
        stopped = run(replace(budget, simulations=known))
        spent = root.spent
        root.add_note(f"{known} children, {spent.simulations} simulations, {spent.calls > 0}, {spent.seconds > 0}")
        root.keep(np.array([1, 0]))
        return stopped
'''


def test_an_allocation_may_expand_the_root_bring_strategies_and_decide(tmp_path):
    file = tmp_path / "second.py"
    file.write_text(ALLOCATIONS)
    agent = ramify.agent(f"mcts(allocation={file})")
    assert agent.select.constants == (("c", 0.3),)
    assert ramify.agent(f"mcts(allocation={file}, select=ucb1)").select.constants == (("c", 0.7),)
    with pytest.raises(ramify.RamifyError, match=r"has its own recommend: remove recommend=max"):
        ramify.agent(f"mcts(allocation={file}, recommend=max)")
    report = ramify.search(ramify.load("connect4").initial(), agent, simulations=100, seed=1)
    assert (str(report.move), report.note) == ("2", "7 children, 7 simulations, True, True")
    both = ramify.search(ramify.load("connect4").initial(), agent, simulations=100, seed=1, threads=2)
    assert (str(both.move), both.to_dict()["note"]) == ("2", report.note)


def test_to_expand_the_root_beforehand_changes_nothing():
    trees = []
    for beforehand in (False, True):
        search = ramify.Search(ramify.load("connect4").initial(), "uct", seed=5)
        if beforehand:
            search.workers[0].runner.expand_root()
        search.run(ramify.Budget(simulations=300))
        used = int(search.workers[0].counters["nodes"][0])
        trees.append(search.workers[0].tree.nodes[:used].tobytes())
    assert trees[0] == trees[1]


@pytest.mark.parametrize("order", [[], [0, 0], [7], [-1], [0, 3, 3]])
def test_an_allocation_keeps_live_children_each_once(order):
    search = ramify.Search(ramify.load("connect4").initial(), "uct", seed=5)
    search.run(ramify.Budget(simulations=30))
    root = search.workers[0]._root
    with pytest.raises(ramify.RamifyError, match="takes distinct indices of live children, at least one"):
        root.keep(np.array(order, np.int64))
    root.keep(np.array([2, 0]))
    with pytest.raises(ramify.RamifyError, match="distinct indices"):
        root.keep(np.array([2]))


def test_a_node_looked_at_is_found_again_where_its_siblings_were_reordered():
    search = ramify.Search(ramify.load("connect4").initial(), "uct", seed=5, threads=2)
    report = search.run(ramify.Budget(simulations=300))
    nodes = report.tree().children()
    before = [(str(node.move), node.visits, len(node.children())) for node in nodes]
    below = nodes[0].children()[0]
    line, visits = below.state.text(), below.visits
    search.workers[0].tree.reorder_children(np.array([6, 5, 4, 3, 2, 1, 0]), 3)
    search.workers[1].tree.reorder_children(np.array([1, 0, 2, 3, 4, 6, 5]), 7)
    assert [(str(node.move), node.visits, len(node.children())) for node in nodes] == before
    assert (below.state.text(), below.visits) == (line, visits)
