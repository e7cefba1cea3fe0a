"""The first 5 % of a search, in which bonuses are not given: of whatever the budget is counted in."""

import numpy as np
import pytest

import ramify
from ramify.agents.budgets import chunk_size
from tests.processes import ROOT
from tests.strategies.recording import Recording

AGENT = "mcts(reward=relative_bonus(k=2))"
GAME = "connect4"


def first_change(recording):
    return int(np.flatnonzero(recording.changed())[0])


@pytest.mark.parametrize("simulations", [100, 1000, 5000])
def test_of_the_simulations(simulations):
    recording = Recording(GAME, AGENT, simulations)
    recording.run(simulations=simulations)
    assert 0 <= first_change(recording) - simulations // 20 < 8


def test_of_the_calls():
    recording = Recording(GAME, AGENT, 5000)
    recording.run(calls=20_000)
    spent = np.cumsum(recording.column("length"))
    assert spent[first_change(recording) - 8] < 1000 + 200
    assert spent[first_change(recording) - 1] >= 1000


class Clock:
    """A clock by which a simulation takes a millisecond."""

    def __init__(self, worker):
        self.counters = worker.counters

    def __call__(self):
        return 0.001 * float(self.counters["simulations"][0])


def test_of_the_time():
    recording = Recording(GAME, AGENT, 5000)
    recording.worker.run(ramify.Budget(seconds=2.0), lambda: True, Clock(recording.worker))
    assert len(recording.taken()) >= 1999  # none is begun that would end too late
    assert 0 <= first_change(recording) - 100 < 16


def test_of_the_first_limit_to_be_near():
    recording = Recording(GAME, AGENT, 5000)
    recording.run(simulations=1000, seconds=1000, calls=10**9)
    assert 0 <= first_change(recording) - 50 < 8


def test_memory_alone_says_nothing_of_the_length():
    recording = Recording(GAME, AGENT, 5000)
    recording.run(memory=60_000)
    assert first_change(recording) < 20


@pytest.mark.parametrize("budget", [{"simulations": 2000}, {"calls": 30_000}])
def test_chunks_do_not_matter(budget, monkeypatch):
    def tree():
        search = ramify.Search(ramify.load(GAME).initial(), AGENT, seed=4)
        report = search.run(ramify.Budget(**budget))
        return [(child.visits, child.value) for child in report.children]

    whole = tree()
    monkeypatch.setattr(chunk_size, "FIRST_CHUNK", 1)
    monkeypatch.setattr(chunk_size, "CHUNK_SECONDS", 1e-5)
    assert tree() == whole


def test_rounds_of_an_allocation_are_one_search():
    recording = Recording(GAME, f"mcts(allocation={ROOT}/examples/own_strategies.py:half_time, {AGENT[5:]}", 1000)
    recording.run(simulations=1000)
    assert 0 <= first_change(recording) - 50 < 8
    assert recording.changed()[60:].mean() > 0.8


def test_only_the_first_run_from_a_position_warms_up():
    recording = Recording(GAME, AGENT, 1000)
    recording.run(simulations=1000)
    recording.run(simulations=1000)
    assert first_change(recording) < 8
    recording.search.advance("4")
    recording.run(simulations=1000)
    assert 0 <= first_change(recording) - 50 < 8
    recording.search.restart(recording.search.state, 7)
    recording.run(simulations=1000)
    assert 0 <= first_change(recording) - 50 < 8


def test_by_the_program_the_first_search_of_a_game_has_no_bonus():
    recording = Recording(GAME, "mcts(reward=relative_bonus(wait_for_samples=true))", 1000)
    start = recording.search.state
    recording.run(simulations=1000)
    assert not recording.changed().any()
    recording.search.restart(start.play("4").play("4"), 2)
    recording.run(simulations=1000)
    assert 50 <= first_change(recording) < 200
    recording.search.restart(start, 3)  # another game
    recording.run(simulations=1000)
    assert not recording.changed().any()


def test_other_rewards_have_nothing_to_warm_up():
    search = ramify.Search(ramify.load(GAME).initial(), "mcts(reward=discount)", seed=1)
    assert search.workers[0].runner.warm_up is None
