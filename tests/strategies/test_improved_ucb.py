"""Improved UCB pulls as the algorithm of Auer and Ortner 2010 says."""

import math
from functools import lru_cache

import numpy as np
import pytest

import ramify
from ramify import bandits
from ramify.strategies.allocation.improved_ucb import simulations_in
from ramify.strategies.base import Spent

load = lru_cache(ramify.load)
AGENT = "mcts(allocation=improved_ucb)"


def by_the_paper(bandit, T, seed):
    """Figure 1 of the paper, with a horizon T; a round that T does not allow for is shared evenly among the arms."""
    task = bandit.task(seed)
    totals, pulls = np.zeros(bandit.arms), np.zeros(bandit.arms, int)

    def pull(arm):
        totals[arm] += (task.pull(arm) - bandit.low) / (bandit.high - bandit.low)
        pulls[arm] += 1

    B, gap = list(range(bandit.arms)), 1.0
    for _ in range(math.floor(math.log2(T / math.e) / 2) + 1):
        n = math.ceil(2 * math.log(T * gap**2) / gap**2)
        if len(B) == 1 or sum(n - pulls[arm] for arm in B) > T - pulls.sum():
            break
        for arm in B:
            while pulls[arm] < n:
                pull(arm)
        width = math.sqrt(math.log(T * gap**2) / (2 * n))
        means = totals / np.maximum(pulls, 1)
        best = max(means[arm] - width for arm in B)
        B = [arm for arm in B if means[arm] + width >= best]
        gap /= 2
    rest = T - pulls.sum()
    for k, arm in enumerate(sorted(B, key=lambda arm: pulls[arm])):
        for _ in range(rest // len(B) + (k < rest % len(B))):
            pull(arm)
    return pulls, B


@pytest.mark.compiled_only
@pytest.mark.parametrize("pulls", [1, 2, 3, 10, 100, 1000, 4321, 20_000])
@pytest.mark.parametrize("seed", [1, 2])
def test_pulls_are_those_of_the_paper(pulls, seed):
    """Who has the one pull that does not divide is drawn, so the pulls of equals are compared in order."""
    random = np.random.default_rng(seed)
    for chances in ([0.9, 0.5, 0.5, 0.1], [0.2, 0.8], list(random.random(12)), [0.5]):
        bandit = bandits.bernoulli(chances)
        result = bandits.spend(bandit, "improved_ucb", pulls=pulls, seed=seed)
        expected, left = by_the_paper(bandit, pulls, seed)
        assert sorted(result.pulls[0]) == sorted(expected)
        out = [arm for arm in range(len(chances)) if arm not in left]
        assert result.pulls[0][out].tolist() == expected[out].tolist()
        assert result.chosen[0, 0] in left


def test_by_hand():
    """T = 1000: 14 pulls of each, then 45; 0 is out after the first round, 0.5 after the second."""
    bandit = bandits.boxes([1.0, 0.5, 0.0], low=0.0, high=1.0)
    result = bandits.spend(bandit, "improved_ucb", pulls=1000)
    widths = [math.sqrt(math.log(1000 / 4**m) / (2 * n)) for m, n in enumerate((14, 45))]
    assert [round(2 * width, 3) for width in widths] == [0.993, 0.495]
    assert result.pulls.tolist() == [[1000 - 45 - 14, 45, 14]]
    assert result.chosen[0, 0] == 0


def test_in_a_tree():
    state = load("tictactoe").position("xx./oo./...")
    report = ramify.search(state, AGENT, simulations=2000, seed=1)
    assert str(report.move) == "c3"
    assert report.note == "3 rounds, 1 of 5 moves left"
    assert report.simulations == 2000
    assert report.children[0].visits > 1400


def test_a_kept_tree_is_levelled_first():
    search = ramify.Search(load("connect4").initial(), AGENT, seed=3)
    search.run(ramify.Budget(simulations=500))
    search.advance(search.report().move)
    before = sorted(child.visits for child in search.report().children)
    assert before[0] != before[-1]
    report = search.run(ramify.Budget(simulations=500))
    assert sum(child.visits for child in report.children) == sum(before) + 500


def test_the_horizon_is_estimated_where_it_is_not_given():
    budget = ramify.Budget
    assert simulations_in(budget(simulations=100), Spent(0, 0.0, 0)) == 100
    assert simulations_in(budget(calls=3000), Spent(10, 0.1, 30)) == 1000
    assert simulations_in(budget(seconds=2.0, calls=3000), Spent(10, 0.1, 30)) == 200
    assert simulations_in(budget(memory=10**6), Spent(10, 0.1, 30)) == 0
    report = ramify.search(load("tictactoe").position("xx./oo./..."), AGENT, calls=5000, seed=1)
    assert report.stopped == "calls"
    assert report.note.endswith("1 of 5 moves left")


def test_what_it_brings_is_its_own():
    with pytest.raises(ramify.RamifyError, match="allocation=improved_ucb has its own recommend"):
        ramify.agent("mcts(allocation=improved_ucb, recommend=max)")
