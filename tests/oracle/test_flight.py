"""Lanes in flight against one position and one simulation at a time."""

from itertools import count

import numpy as np
import pytest

from ramify.agents import flight
from ramify.agents.agent import agent
from ramify.agents.budget import Budget
from ramify.agents.worker import Worker
from ramify.ggp.compiling import make
from ramify.ggp.network_game import NetworkGame
from ramify.ggp.rules import Rules
from tests.ggp.toys import TOYS
from tests.oracle.gdl_lockstep import lanes_in_lockstep

TURNS = ("heap", "bridges", "sliders")
NAMES = (*TURNS, "pennies", "streak")


@pytest.fixture(scope="module")
def games():
    return {name: NetworkGame(f"gdl:{name}", make(Rules.of(TOYS[name], name)).network) for name in NAMES}


def grown(game, description, simulations, seed=5):
    worker = Worker(game.initial(), agent(description), seed, 0)
    worker.run(Budget(simulations=simulations), lambda: True)
    return worker


@pytest.mark.parametrize(
    "description", ["uct", "mcts(select=ucb1(c=1.2), expand_threshold=3)", "mcts(select=thompson)"]
)
@pytest.mark.parametrize("name", TURNS)
def test_one_lane_is_the_sequential_search(games, name, description, monkeypatch):
    sequential = grown(games[name], description, 120)
    monkeypatch.setattr(flight, "FEWEST", 1)
    monkeypatch.setattr(flight, "SHARE", 0.0)
    flown = grown(games[name], description, 120)
    assert flown.flight.steps > 120
    size = int(flown.counters["nodes"][0])
    assert flown.counters[0] == sequential.counters[0]
    assert np.array_equal(flown.tree.nodes[:size], sequential.tree.nodes[:size])
    assert flown.rng == sequential.rng


@pytest.mark.parametrize("lanes", [30, 100])
@pytest.mark.parametrize("name", TURNS)
def test_nothing_is_left_in_flight(games, name, lanes, monkeypatch):
    monkeypatch.setattr(flight, "SHARE", lanes / 400)
    worker = grown(games[name], "uct", 400)
    assert worker.flight.count == lanes
    used = int(worker.counters["nodes"][0])
    nodes, (known, pending) = worker.tree.nodes[:used], worker.tree.columns[-2:, :used]
    assert not pending.any()
    assert np.array_equal(nodes["total"][1:], known[1:])
    assert nodes["visits"][0] == 400
    for node in np.flatnonzero(nodes["first"] > 0):
        children = nodes[nodes["first"][node] : nodes["first"][node] + nodes["live"][node]]
        assert children["visits"].sum() <= nodes["visits"][node]
    assert (nodes["total"] <= nodes["visits"]).all()
    again = grown(games[name], "uct", 400)
    assert np.array_equal(again.tree.nodes[:used], nodes)


def test_simulations_in_flight_are_forgotten_when_time_is_up(games):
    worker = Worker(games["sliders"].initial(), agent("uct"), 1, 0)
    looks = count()
    assert worker.run(Budget(seconds=0.06), lambda: True, lambda: next(looks) / 1000) == "seconds"
    done = int(worker.counters["simulations"][0])
    assert done > 0
    assert worker.flight.count >= flight.FIRST
    assert worker.tree.nodes["visits"][0] == done
    assert worker.tree.nodes["visits"][worker.tree.children()].sum() == done


@pytest.mark.parametrize("lanes", [5, 70])
@pytest.mark.parametrize("name", NAMES)
def test_lanes_and_one_position_agree(games, name, lanes):
    assert lanes_in_lockstep(games[name], lanes, 12, seed=3) > lanes
