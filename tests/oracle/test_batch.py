"""A batch against one position and one simulation at a time."""

from itertools import count

import numpy as np
import pytest

from ramify.agents.agent import agent
from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search
from ramify.agents.search.worker import Worker
from ramify.agents.shapes import batch, batch_slots
from ramify.agents.shapes.batch import BatchShape, not_batchable
from ramify.contract.load import load
from ramify.errors import RamifyError
from ramify.ggp.propnet_cache import build
from ramify.ggp.propnet_game import PropnetGame
from ramify.ggp.rules import Rulesheet
from ramify.strategies.playout.last_good_reply import ReplyTable
from ramify.strategies.playout.ngram import NgramTable
from tests.ggp.toys import TOYS
from tests.oracle.gdl_lockstep import lanes_in_lockstep

TURNS = ("heap", "bridges", "sliders")
NAMES = (*TURNS, "pennies", "streak")


@pytest.fixture(scope="module")
def games():
    return {name: PropnetGame(f"gdl:{name}", build(Rulesheet.from_text(TOYS[name], name)).propnet) for name in NAMES}


def grown(game, description, simulations, seed=5):
    worker = Worker(game.initial(), agent(description), seed, 0)
    worker.run(Budget(simulations=simulations), lambda: True)
    return worker


PLAIN = ("uct", "mcts(select=ucb1(c=1.2), expand_threshold=3)", "mcts(select=thompson)")
LEARNING = (
    "mcts(playout=mast)",
    "mcts(playout=mast(temperature=0.3), reward=discount(factor=0.99))",
    "mcts(playout=ngram(min_visits=2), expand_threshold=2)",
    "mcts(playout=ngram(max_length=2, temperature=0.5), reward=relative_bonus)",
    "mcts(playout=last_good_reply(then=mast))",
    "mcts(playout=mast(limit=3), reward=relative_bonus(online=true, wait_for_samples=true))",
)


@pytest.fixture
def one_lane(monkeypatch):
    """What searches by the number of lanes that their budget allows for, of which there is one, do in a batch."""

    def begin():
        monkeypatch.setattr(batch, "MIN_BATCH", 1)
        monkeypatch.setattr(batch_slots, "BATCH_SHARE", 0.0)

    return begin


def assert_same(flown, sequential):
    """The same trees, counters, draws and tables."""
    size = int(flown.counters["nodes"][0])
    assert flown.counters[0] == sequential.counters[0]
    assert np.array_equal(flown.tree.nodes[:size], sequential.tree.nodes[:size])
    assert flown.rng == sequential.rng
    for one, other in zip(flown.parts.hooks, sequential.parts.hooks, strict=True):
        for table, same in zip(one.learning.tables, other.learning.tables, strict=True):
            assert learnt(table) == learnt(same)


def learnt(table):
    """What a table of a playout holds."""
    if isinstance(table, ReplyTable):
        return [one.tolist() for one in table._dense]
    sums = getattr(table, "averages", table).sums
    assert sums[:, 0].sum() > 100
    return sums.tolist(), table.seen() if isinstance(table, NgramTable) else None


@pytest.mark.parametrize("description", PLAIN + LEARNING)
@pytest.mark.parametrize("name", TURNS)
def test_one_lane_is_the_sequential_search(games, name, description, one_lane):
    sequential = grown(games[name], description, 120)
    one_lane()
    flown = grown(games[name], description, 120)
    assert flown.shape.batch.steps > 120
    assert_same(flown, sequential)


@pytest.mark.parametrize("description", ["uct", "mcts(playout=ngram(min_visits=2), reward=relative_bonus)"])
def test_one_lane_is_the_sequential_search_where_the_tree_is_kept(games, description, one_lane):
    def moved_on():
        worker = grown(games["sliders"], description, 120)
        for _ in range(3):
            visits = worker.tree.nodes["visits"][worker.tree.children()]
            code = int(worker.tree.nodes["move"][worker.tree.children()][visits.argmax()])
            worker.advance(worker.start.play(games["sliders"].move_name(worker.start.data, code)), code)
            worker.start_counting()
            worker.run(Budget(simulations=100), lambda: True)
        return worker

    sequential = moved_on()
    one_lane()
    assert_same(moved_on(), sequential)


@pytest.mark.parametrize("description", ["uct", "mcts(playout=mast(temperature=0.5), reuse=true)"])
def test_threads_in_flight_repeat(games, description):
    def searched():
        run = Search(games["sliders"].initial(), description, seed=3, threads=2)
        run.run(Budget(simulations=800))
        run.advance(run.report().move)
        run.run(Budget(simulations=800))
        assert all(worker.shape.slots == 8 for worker in run.workers)
        return [worker.tree.nodes[: int(worker.counters["nodes"][0])].tolist() for worker in run.workers]

    first, second = searched()
    assert [first, second] == searched()
    assert first != second


@pytest.mark.parametrize(
    ("description", "reason"),
    [
        ("mcts(select=rave)", "select=rave"),
        ("mcts(select_root=ucb1_tuned)", "select=ucb1_tuned"),
        ("mcts(playout=decisive(then=mast))", "playout=decisive"),
        ("mcts(playout=last_good_reply(then=decisive))", "playout=decisive"),
        ("mcts(reward=relative_bonus(then=qualitative_bonus))", "reward=qualitative_bonus"),
        ("mcts(allocation=shot)", "allocation=shot"),
        ("mcts(allocation=gumbel)", "select="),
        ("uct(prove=true)", "prove=true"),
        ("mcts(transpositions=uct2)", "transpositions=uct2"),
        ("mcts(playout=mast, reward=discount, allocation=sequential_halving, reuse=true)", ""),
    ],
)
def test_strategies_say_whether_they_fly(games, description, reason):
    found = not_batchable(agent(description), games["heap"])
    assert found.startswith(reason)
    assert bool(found) == bool(reason)


def test_what_does_not_fly_is_refused_lanes(games):
    with pytest.raises(RamifyError, match=r"^select=rave does not support batches: set batch_size to 0 or 1, not 8$"):
        grown(games["heap"], "mcts(select=rave, batch_size=8)", 10)
    assert not isinstance(grown(games["heap"], "uct(batch_size=1)", 300).shape, BatchShape)


def test_games_without_lanes_do_not_fly(games):
    with pytest.raises(RamifyError, match=r"^nim.* does not support batches"):
        grown(load("nim"), "uct(batch_size=8)", 10)
    with pytest.raises(RamifyError, match=r"^gdl:pennies does not support batches"):
        grown(games["pennies"], "uct(batch_size=8)", 10)


LATE_CHOICE = """
(role first) (role second) (init begun)
(<= (legal first go) (true begun)) (<= (legal first stay) (true begun)) (<= (legal second wait) (true begun))
(<= (legal ?who a) (role ?who) (true met)) (<= (legal ?who b) (role ?who) (true met))
(<= (next met) (true begun)) (<= (next ended) (true met)) (<= terminal (true ended))
(<= (goal ?who 50) (role ?who))
"""


@pytest.mark.parametrize("lanes", [1, 4])
def test_playouts_that_learn_refuse_moves_made_at_once(lanes):
    game = PropnetGame("gdl:late_choice", build(Rulesheet.from_text(LATE_CHOICE, "late_choice")).propnet)
    game.simultaneous = False  # as if the random games that tell had missed it
    with pytest.raises(RamifyError, match="has simultaneous moves"):
        grown(game, f"mcts(playout=mast, expand_threshold=9, batch_size={lanes})", 20)


def test_lanes_are_as_many_as_asked_for(games):
    assert grown(games["heap"], "uct(batch_size=2)", 300).shape.slots == 2
    assert grown(games["heap"], "uct(batch_size=2)", 300).shape.running
    assert grown(games["heap"], "uct(batch_size=0)", 300).shape.slots == 6
    assert not grown(games["heap"], "uct", 100).shape.running


@pytest.mark.parametrize("agent_", ["uct", "mcts(playout=ngram, reward=relative_bonus(wait_for_samples=true))"])
@pytest.mark.parametrize("lanes", [30, 100])
@pytest.mark.parametrize("name", TURNS)
def test_nothing_is_left_in_flight(games, name, lanes, agent_):
    description = agent(agent_, batch_size=lanes)
    worker = grown(games[name], description, 400)
    assert worker.shape.slots == lanes
    used = int(worker.counters["nodes"][0])
    nodes, (known, pending) = worker.tree.nodes[:used], worker.memory.columns_of(worker.shape)[:, :used]
    assert not pending.any()
    assert np.array_equal(nodes["total"][1:], known[1:])
    assert nodes["visits"][0] == 400
    for node in np.flatnonzero(nodes["first"] > 0):
        children = nodes[nodes["first"][node] : nodes["first"][node] + nodes["live"][node]]
        assert children["visits"].sum() <= nodes["visits"][node]
    assert (nodes["total"] <= 1.2 * nodes["visits"]).all()
    again = grown(games[name], description, 400)
    assert np.array_equal(again.tree.nodes[:used], nodes)


def test_simulations_in_flight_are_forgotten_when_time_is_up(games):
    worker = Worker(games["sliders"].initial(), agent("uct"), 1, 0)
    looks = count()
    assert worker.run(Budget(seconds=0.06), lambda: True, lambda: next(looks) / 1000) == "seconds"
    done = int(worker.counters["simulations"][0])
    assert done > 0
    assert worker.shape.slots >= batch.MIN_BATCH
    assert worker.tree.nodes["visits"][0] == done
    assert worker.tree.nodes["visits"][worker.tree.children()].sum() == done


def test_a_search_by_time_begins_with_lanes_for_the_speed_of_the_last_one(games):
    def first_lanes(worker):
        worker.shape.begin(Budget(seconds=1e6), worker.memory.addresses)
        worker.shape.finish(worker.memory.addresses)
        return worker.shape.slots

    worker = Worker(games["sliders"].initial(), agent("uct"), 1, 0)
    assert first_lanes(worker) == batch.MIN_BATCH
    worker.run(Budget(simulations=2000), lambda: True)
    assert worker.shape.running
    assert first_lanes(worker) == batch_slots.MAX_BATCH


@pytest.mark.parametrize("lanes", [5, 70])
@pytest.mark.parametrize("name", NAMES)
def test_lanes_and_one_position_agree(games, name, lanes):
    assert lanes_in_lockstep(games[name], lanes, 12, seed=3) > lanes
