"""Observers are told of every simulation in an episode, heralds of new children, and a status ends the search."""

import numpy as np
import pytest

import ramify
from ramify.agents.hooks.hook import Observer
from ramify.agents.search.build_plan import told_of
from ramify.core.kernels.compiling import kernel
from ramify.core.kernels.pointers import address, array, record
from ramify.core.search.episode import EPISODE
from ramify.core.search.plan import DONE, ENOUGH, Callees

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


class Notes(Observer):
    rows = 1

    def __init__(self, most):
        self.kernel, self.herald = kernel(note), kernel(count_children)
        self.block = np.zeros(1, NOTES)
        self.block["most"] = most


def watched(most=10**9, agent="mcts(playout=uniform(limit=9))"):
    """A search with one more observer than its agent asked for."""
    search = ramify.Search(ramify.load("connect4").initial(), agent, seed=1)
    worker = search.workers[0]
    worker.observers.append(Notes(most))
    worker.tree = type(worker.tree)(worker.tree.rows + 1, 100)
    worker._told = told = told_of(worker.observers)
    heralds, observers = (Callees(address(one), len(one)) for one in (told.heralds, told.observers))
    worker.plan = worker.plan._replace(heralds=heralds, observers=observers)
    worker.memory = worker._addresses()
    worker.reset(search.state)
    return search, worker.observers[-1].block


@pytest.mark.parametrize("select", ["ucb1", "exp3", "rave", "puct"])
def test_an_observer_sees_what_the_counters_say(select):
    search, block = watched(agent=f"mcts(select={select}, playout=uniform(limit=9))")
    search.run(ramify.Budget(simulations=500))
    counters = search.workers[0].counters
    assert int(block["told"][0]) == 500
    assert int(block["depth"][0] + block["plies"][0]) == int(counters["calls"][0])
    assert int(block["cut"][0]) == int(counters["cut"][0]) > 0
    assert int(block["children"][0]) == int(counters["nodes"][0]) - 1
    root = search.workers[0].tree.nodes[search.workers[0].tree.children()]
    assert float(block["first"][0]) == float(root["total"].sum())


def test_an_observer_leaves_the_tree_alone():
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
