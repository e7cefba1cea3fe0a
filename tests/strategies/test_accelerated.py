"""``accelerated_ucb`` against a naive tree that keeps every velocity and adds everything up again."""

import numpy as np
import pytest

from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search
from ramify.contract.registry import load_call
from ramify.core.search.tree import ROOT
from ramify.grammar import parse


class Naive:
    """A node: its children by name, what it was worth as a leaf, and how fast children are taken."""

    def __init__(self, players):
        self.children = {}
        self.speed = {}
        self.leaf_weight = 0.0
        self.leaf_sum = np.zeros(players)

    def value(self):
        weight = self.leaf_weight + sum(self.speed.values())
        total = self.leaf_sum + sum(self.speed[k] * child.value() for k, child in self.children.items())
        return total / weight

    def visit(self, path, scores, decay):
        if not path:
            self.leaf_weight += 1.0
            self.leaf_sum += scores
            return
        self.leaf_weight *= decay
        self.leaf_sum *= decay
        for k in self.speed:
            self.speed[k] *= decay
        child = self.children.setdefault(path[0], Naive(len(scores)))
        self.speed[path[0]] = self.speed.get(path[0], 0.0) + 1.0
        child.visit(path[1:], scores, decay)


def row(worker, name):
    """A statistic of one number an arm that the policy keeps, of every node."""
    single = [key for key in worker.parts.selectors.root.kept if not key.endswith("_each")]
    return worker.tree.columns[single.index(name)]


@pytest.mark.parametrize("decay", [0.9, 0.999])
def test_values_are_those_of_the_naive_tree(decay):
    agent = f"mcts(select=accelerated_ucb(decay={decay}))"
    search = Search(load_call(parse("tictactoe")).initial(), agent, seed=5)
    worker = search.workers[0]
    naive = Naive(2)
    for _ in range(150):
        known = int(worker.counters["nodes"][0])
        before = worker.tree.nodes["visits"][:known].copy()
        search.run(Budget(simulations=1))
        after = worker.tree.nodes["visits"][: int(worker.counters["nodes"][0])]
        changed = [int(k) for k in np.flatnonzero(after[:known] != before) if k != ROOT]
        changed += [known + int(k) for k in np.flatnonzero(after[known:])]
        naive.visit(changed, worker.memory._buffers["scores"], decay)  # children stand behind their parents

    def compare(node, naive_node):
        for k, child in naive_node.children.items():
            mover = worker.tree.nodes["mover"][node]
            assert row(worker, "value")[k] == pytest.approx(child.value()[mover], abs=1e-9)
            compare(k, child)

    compare(ROOT, naive)


def test_without_decay_it_is_the_mean():
    state = load_call(parse("connect4")).initial()
    search = Search(state, "mcts(select=accelerated_ucb(decay=1.0))", seed=5)
    search.run(Budget(simulations=2000))
    worker = search.workers[0]
    used = np.flatnonzero(worker.tree.nodes["visits"][1 : int(worker.counters["nodes"][0])]) + 1
    means = worker.tree.nodes["total"][used] / worker.tree.nodes["visits"][used]
    np.testing.assert_allclose(row(worker, "value")[used], means, atol=1e-9)
