"""Hooks are called for every simulation and for new children, and a status ends the search."""

from dataclasses import replace

import numpy as np
import pytest

import ramify
from ramify.agents.budgets.memory import MemoryAllowance
from ramify.agents.hooks.hook import Hook
from ramify.agents.search.chunk_runner import ChunkRunner
from ramify.agents.search.root_view import RootView
from ramify.agents.search.tree_memory import TreeMemory
from ramify.core.kernels.compiling import kernel
from ramify.core.kernels.pointers import array, record
from ramify.core.search.episode import EPISODE
from ramify.core.search.plan import DONE, ENOUGH

NOTES = np.dtype(
    [
        ("told", np.int64),
        ("depth", np.int64),
        ("plies", np.int64),
        ("cut", np.int64),
        ("first", np.float64),
        ("children", np.int64),
        ("most", np.int64),
    ]
)


def note(block_, episode_):
    block = record(block_, NOTES)
    episode = record(episode_, EPISODE)
    if episode.number != block.told:
        return -1
    block.told += 1
    block.depth += episode.depth
    block.plies += episode.plies
    block.cut += episode.cut
    block.first += array(episode.scores, 2, np.float64)[0]
    return ENOUGH if block.told == block.most else DONE


def count_children(block_, episode_, first, count):
    record(block_, NOTES).children += count
    return 0


class Notes(Hook):
    rows = 1

    def __init__(self, most):
        self.on_simulation, self.on_expand = kernel(note), kernel(count_children)
        self.block = np.zeros(1, NOTES)
        self.block["most"] = most


def watched(most=10**9, agent="mcts(playout=uniform(limit=9))", game="connect4"):
    """A search with one more hook than its agent asked for, and that hook's block."""
    search = ramify.Search(ramify.load(game).initial(), agent, seed=1)
    worker, notes = search.workers[0], Notes(most)
    parts = worker.parts
    worker.parts = replace(parts, hooks=(*parts.hooks, notes), column_owners=(*parts.column_owners, notes))
    worker.memory = TreeMemory(worker.parts, worker.rng, MemoryAllowance(1))
    worker.runner = ChunkRunner(worker.parts, worker.memory, worker.runner.add_context)
    worker.view = RootView(worker.parts, worker.memory)
    worker.reset(search.state)
    return search, notes.block


@pytest.mark.parametrize("select", ["ucb1", "exp3", "rave", "puct"])
def test_a_hook_sees_what_the_counters_say(select):
    search, block = watched(agent=f"mcts(select={select}, playout=uniform(limit=9))")
    search.run(ramify.Budget(simulations=500))
    counters = search.workers[0].counters
    assert int(block["told"][0]) == 500
    assert int(block["depth"][0] + block["plies"][0]) == int(counters["calls"][0])
    assert int(block["cut"][0]) == int(counters["cut_playouts"][0]) > 0
    assert int(block["children"][0]) == int(counters["nodes"][0]) - 1
    root = search.workers[0].tree.nodes[search.workers[0].tree.children()]
    assert float(block["first"][0]) == float(root["total"].sum())


def test_a_hook_leaves_the_tree_alone():
    search, _ = watched()
    search.run(ramify.Budget(simulations=300))
    plain = ramify.Search(search.state, "mcts(playout=uniform(limit=9))", seed=1)
    plain.run(ramify.Budget(simulations=300))
    used = int(plain.workers[0].counters["nodes"][0])
    assert search.workers[0].tree.nodes[:used].tobytes() == plain.workers[0].tree.nodes[:used].tobytes()


def test_enough_ends_the_search():
    search, block = watched(most=123)
    report = search.run(ramify.Budget(simulations=500))
    assert (report.simulations, report.stopped) == (123, "enough")
    assert int(block["told"][0]) == 123


@pytest.mark.parametrize("slots", [1, 16])
def test_enough_ends_a_batch(slots):
    search, block = watched(most=123, agent=f"mcts(batch_size={slots})", game="gdl:connect4")
    report = search.run(ramify.Budget(simulations=500))
    assert (report.simulations, report.stopped) == (123, "enough")
    assert int(block["told"][0]) == 123
    assert int(search.workers[0].tree.nodes["visits"][0]) == 123
