"""Sequential halving pulls as algorithm 1 says."""

import math
from functools import lru_cache

import numpy as np
import pytest

import ramify
from ramify import bandits

load = lru_cache(ramify.load)
AGENT = "mcts(allocation=sequential_halving)"


def algorithm_1(prizes, budget):
    """Of 002, line by line; rewards of boxes are their prizes, so the order of pulls does not matter."""
    K = len(prizes)
    N = [0] * K
    children = list(range(K))
    k = K
    while k > 1:
        b = math.floor(budget / (k * math.ceil(math.log2(K))))
        for child in children[:k]:
            N[child] += b
        children[:k] = sorted(children[:k], key=lambda child: -prizes[child])
        k = math.ceil(k / 2)
    return N, children[0]


@pytest.mark.compiled_only
@pytest.mark.parametrize("K", range(2, 65))
def test_pulls_are_those_of_algorithm_1(K):
    random = np.random.default_rng(K)
    rounds = math.ceil(math.log2(K))
    for budget in (K * rounds, K * rounds + 1, 2 * K * rounds - 1, 1000, 9999, int(random.integers(400, 5000))):
        prizes = random.permutation(K) / K
        result = bandits.spend(bandits.boxes(list(prizes)), "sequential_halving", pulls=budget, seed=1)
        expected, best = algorithm_1(prizes, budget)
        assert result.pulls[0].tolist() == expected, budget
        assert result.chosen[0, 0] == best


def test_by_hand():
    """Eight boxes, 240 pulls: rounds of 80, so 10, then 20, then 40 pulls of each that is left."""
    result = bandits.spend(bandits.boxes([k / 10 for k in range(8)]), "sequential_halving", pulls=240)
    assert result.pulls.tolist() == [[10, 10, 10, 10, 30, 30, 70, 70]]


def test_equal_boxes_stay_in_their_order():
    result = bandits.spend(bandits.boxes([0.5] * 8), "sequential_halving", pulls=240)
    assert result.pulls.tolist() == [[70, 70, 30, 30, 10, 10, 10, 10]]
    assert result.chosen[0, 0] == 0


@pytest.mark.compiled_only
@pytest.mark.parametrize(("game", "simulations"), [("connect4", 1000), ("breakthrough", 800), ("nogo(size=5)", 2345)])
def test_in_a_tree(game, simulations):
    """The counts of visits are those of algorithm 1, whoever has which."""
    report = ramify.search(load(game).initial(), AGENT, simulations=simulations, seed=3)
    visits = sorted(child.visits for child in report.children)
    assert visits == sorted(algorithm_1(range(len(visits)), simulations)[0])
    left = simulations - sum(visits)
    assert report.note.endswith(f"; {left} of {simulations} simulations left over") == (left > 0)
    best = max(report.children, key=lambda child: (child.visits, child.value))
    assert next(child for child in report.children if child.move == report.move).value == best.value
    spent = ramify.search(load(game).initial(), f"{AGENT[:-1]}(leftover=true))", simulations=simulations, seed=3)
    assert spent.simulations == simulations
    assert "left over" not in spent.note


def test_the_better_half_goes_on():
    """With even pulls, whoever was visited more often has a mean that was higher than that of the others then."""
    search = ramify.Search(load("connect4").initial(), AGENT, seed=1)
    seen = []
    keep = ramify.agents.search.live_root.LiveRoot.keep

    def watching(root, order):
        seen.append((root.values, np.asarray(order)))
        keep(root, order)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ramify.agents.search.live_root.LiveRoot, "keep", watching)
        report = search.run(ramify.Budget(simulations=700))
    assert [len(order) for _, order in seen] == [4, 2, 1, 1]
    for values, order in seen:
        assert (np.diff(values[order]) <= 0).all()
        assert values[order].min() >= np.delete(values, order).max(initial=-np.inf)
    assert report.note == "7 moves halved in 3 rounds; 5 of 700 simulations left over"


@pytest.mark.parametrize(
    ("simulations", "visits", "note"),
    [
        (1, [1, 0, 0, 0, 0, 0, 0], "stopped in round 1 of 3 with 7 of 7 moves left"),
        (5, [1, 1, 1, 1, 1, 0, 0], "stopped in round 1 of 3 with 7 of 7 moves left"),
        (7, [1, 1, 1, 1, 1, 1, 1], "stopped in round 1 of 3 with 7 of 7 moves left"),
        (12, [3, 2, 2, 2, 1, 1, 1], "7 moves halved in 3 rounds"),
        (20, [5, 5, 2, 2, 1, 1, 1], "7 moves halved in 3 rounds; 3 of 20 simulations left over"),
        (21, [5, 5, 2, 2, 1, 1, 1], "7 moves halved in 3 rounds; 4 of 21 simulations left over"),
    ],
)
def test_few_simulations_go_once_to_every_move_left(simulations, visits, note):
    report = ramify.search(load("connect4").initial(), AGENT, simulations=simulations, seed=1)
    assert [child.visits for child in report.children] == visits
    assert report.note == note
    chosen = next(child for child in report.children if child.move == report.move)
    assert chosen.visits >= visits[1]
    assert chosen.value == max(child.value for child in report.children if child.visits >= visits[1])


def test_rounds_have_equal_shares_of_calls():
    report = ramify.search(load("breakthrough").initial(), AGENT, calls=300_000, seed=1)
    visits = np.array([child.visits for child in report.children])
    assert report.stopped == "calls"
    assert abs(report.calls - 300_000) < 200
    expected = sorted(algorithm_1(range(len(visits)), report.simulations)[0], reverse=True)
    np.testing.assert_allclose(visits, expected, rtol=0.1)


def test_the_first_of_two_limits_counts():
    report = ramify.search(load("connect4").initial(), AGENT, simulations=700, calls=10**9, seconds=100.0, seed=1)
    assert (report.stopped, report.simulations) == ("simulations", 695)
    report = ramify.search(load("connect4").initial(), AGENT, simulations=10**9, calls=9000, seed=1)
    assert report.stopped == "calls"
    assert [child.visits for child in report.children][1] > 2 * report.children[2].visits


def test_memory_stops_it_in_the_middle():
    report = ramify.search(load("connect4").initial(), AGENT, simulations=20_000, memory=200_000, seed=1)
    assert report.stopped == "memory"
    assert report.note == "stopped in round 1 of 3 with 7 of 7 moves left"
    assert report.move == max(report.children, key=lambda child: child.value).move


def test_a_kept_tree_is_levelled_first():
    search = ramify.Search(load("connect4").initial(), AGENT, seed=1)
    search.run(ramify.Budget(simulations=210))
    search.run(ramify.Budget(simulations=210))
    visits = [child.visits for child in search.report().children]
    assert sum(visits) == 416
    assert search.workers[0].note.startswith("7 moves halved in 3 rounds")


def test_strategies_that_it_brings():
    made = ramify.agent(AGENT)
    assert (made.select_root.name, made.select.name) == ("round_robin", "ucb1")
    for part in ("select_root=ucb1", "recommend=max"):
        with pytest.raises(ramify.RamifyError, match="has its own"):
            ramify.agent(f"mcts(allocation=sequential_halving, {part})")
    assert ramify.agent("mcts(allocation=sequential_halving, select=ucb1_tuned)").select.name == "ucb1_tuned"
