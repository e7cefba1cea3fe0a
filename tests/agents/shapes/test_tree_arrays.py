"""Memory that was never written to: policies look at four arms at a time, so also beyond the last one."""

import numpy as np
import pytest

import ramify
from ramify.agents.shapes.tree_arrays import INITIAL_NODES, Tree
from ramify.strategies.policy.registry import policies


def grown(policy, fill):
    """A search whose tree begins in memory that is full of something."""
    search = ramify.Search(ramify.load("sos(n=7)").initial(), f"mcts(select={policy})", seed=1)
    tree = search.workers[0].tree
    tree.nodes[1:].view(np.uint8)[:] = fill
    for column in tree.columns:
        column[1:].view(np.uint8)[:] = fill
    search.run(ramify.Budget(simulations=300))
    used = int(search.workers[0].counters["nodes"][0])
    return tree.nodes[:used], tree.columns[:, :used], search.workers[0].rng


@pytest.mark.parametrize("policy", policies())
def test_what_stands_in_fresh_memory_changes_nothing(policy):
    clean, dirty = grown(policy, 0), grown(policy, 0xF1)
    for name in ("first", "live", "hidden", "move", "visits", "total", "mover", "chance"):
        np.testing.assert_array_equal(clean[0][name], dirty[0][name])
    assert clean[1].tobytes() == dirty[1].tobytes()
    assert clean[2] == dirty[2]


def test_a_system_that_promises_little(monkeypatch):
    """The same tree, and the same one kept, where large arrays are refused."""
    room = Tree._allocate

    def stingy(self, nodes):
        if nodes > 60_000:
            raise MemoryError
        return room(self, nodes)

    def played():
        search = ramify.Search(ramify.load("connect4").initial(), "mcts(select=rave)", seed=1)
        search.run(ramify.Budget(simulations=7000))
        search.advance("4")
        search.run(ramify.Budget(simulations=7000))
        worker = search.workers[0]
        return worker.tree.nodes[: int(worker.counters["nodes"][0])].tobytes(), len(worker.tree.nodes)

    whole, large = played()
    monkeypatch.setattr(Tree, "_allocate", stingy)
    same, small = played()
    assert same == whole
    assert INITIAL_NODES < small <= 60_000 < large
