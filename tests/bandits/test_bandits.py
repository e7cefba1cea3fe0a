"""Bare bandits: what arms pay, what is recorded, and mistakes."""

import numpy as np
import pytest
from scipy import stats

from ramify import bandits
from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError
from ramify.strategies.policy.registry import policies


def test_bernoulli_arms_pay_their_chance():
    task = bandits.bernoulli([0.2, 1.0, 0.0]).task(seed=1)
    assert np.mean([task.pull(0) for _ in range(2000)]) == pytest.approx(0.2, abs=0.04)
    assert {task.pull(1) for _ in range(50)} == {1.0}
    assert {task.pull(2) for _ in range(50)} == {0.0}
    assert task.pulls.tolist() == [2000, 50, 50]


def test_gaussian_arms():
    task = bandits.gaussian([0.3, 5.0], deviation=2.0).task(seed=1)
    drawn = [task.pull(1) for _ in range(2000)]
    assert stats.kstest(drawn, stats.norm(5.0, 2.0).cdf).pvalue > 1e-3


def test_boxes_always_pay_the_same():
    task = bandits.boxes([-1.0, 0.25]).task(seed=1)
    assert {task.pull(0) for _ in range(9)} == {-1.0}
    assert {task.pull(1) for _ in range(9)} == {0.25}


def test_random_boxes_lie_within_their_limits():
    prizes = bandits.random_boxes(30, 0.3, 0.5, -1.0, 1.0, seed=3).means
    assert len(prizes) == 30
    assert prizes.min() >= -1.0
    assert prizes.max() <= 1.0
    assert (np.diff(prizes) >= 0).all()
    assert (bandits.random_boxes(30, 0.3, 0.5, seed=3).means == prizes).all()
    assert (bandits.random_boxes(30, 0.3, 0.5, seed=4).means != prizes).any()


@pytest.mark.parametrize(("arms", "share", "winners"), [(20, 0.1, 2), (50, 0.3, 15), (4, 0.0, 1), (3, 1.0, 3)])
def test_means_path(arms, share, winners):
    bandit = bandits.means_path(arms, share, seed=1)
    paths = bandit.parameters
    assert bandit.means.sum() == winners
    assert (paths[:, 0] == 0.5).all()
    assert (paths[:, -1] == bandit.means).all()
    steps = np.round(np.diff(paths, axis=1), 10)
    assert set(np.unique(steps)) <= {-0.02, 0.0, 0.02}
    ended = (paths == 0.0) | (paths == 1.0)
    assert (np.diff(ended.astype(int), axis=1) >= 0).all()  # once there, it stays
    assert ((steps != 0) == ~ended[:, :-1]).all()  # until then it moves at every pull


def test_a_path_with_normal_rewards():
    """The same paths; rewards lie around them, also where they have ended."""
    bandit = bandits.means_path(4, 0.5, seed=4, deviation=0.1)
    assert (bandit.parameters[:, :-1] == bandits.means_path(4, 0.5, seed=4).parameters).all()
    winner = int(np.argmax(bandit.means))
    drawn = np.array([[bandit.task(seed=seed).pull(winner)] for seed in range(300)])
    assert stats.kstest(drawn[:, 0], stats.norm(0.5, 0.1).cdf).pvalue > 1e-3
    task = bandit.task(seed=1)
    pulled = np.array([task.pull(winner) for _ in range(2500)])
    off = (pulled - np.append(bandit.parameters[winner, :-1], np.ones(2000))) / 0.1
    assert stats.kstest(off, stats.norm().cdf).pvalue > 1e-3


def test_a_binomial_number_of_winners():
    """Its law is the binomial one without nought."""
    found = np.bincount(
        [int(bandits.means_path(5, 0.2, s, binomial=True).means.sum()) for s in range(600)], minlength=6
    )
    law = stats.binom(5, 0.2).pmf(np.arange(1, 6))
    expected = 600 * law / law.sum()
    assert found[0] == 0
    seen, wanted = np.append(found[1:3], found[3:].sum()), np.append(expected[:2], expected[2:].sum())
    assert stats.chisquare(seen, wanted).pvalue > 1e-3


def test_a_path_moves_with_the_pulls_of_its_arm():
    bandit = bandits.means_path(2, 0.5, seed=4)
    winner = int(np.argmax(bandit.means))
    task = bandit.task(seed=1)
    drawn = [task.pull(winner) for _ in range(600)]
    assert set(drawn[500:]) == {1.0}
    assert {task.pull(1 - winner) for _ in range(600)} == {0.0, 1.0}


def test_every_policy_meets_the_same_luck():
    """The arm returned is the one whose pulls, done again from Python, paid best."""
    bandit = bandits.gaussian([0.5, 0.52, 0.48], deviation=0.3)
    for name in ("random", "ucb1", "thompson"):
        result = bandits.run(bandit, name, pulls=40, tasks=6, seed=9)
        for number, pulls in enumerate(result.pulls):
            task = bandit.task(seed=9, number=number)
            means = [np.mean([task.pull(k) for _ in range(pulls[k])]) for k in range(3)]
            assert result.chosen[number, -1] == np.argmax(means)


def test_the_same_on_any_number_of_threads():
    bandit = bandits.means_path(10, 0.2, seed=1)
    results = [
        bandits.run(bandit, "sufficiency_dynamic", pulls=400, tasks=57, seed=2, threads=threads)
        for threads in (1, 2, 5)
    ]
    for other in results[1:]:
        assert (results[0].regret == other.regret).all()
        assert (results[0].chosen == other.chosen).all()
        assert (results[0].pulls == other.pulls).all()
    assert (bandits.run(bandit, "ucb1", pulls=400, tasks=57, seed=3).regret != results[0].regret).any()


def test_what_is_recorded():
    bandit = bandits.boxes([0.0, 1.0, 0.5], low=0.0, high=1.0)
    result = bandits.run(bandit, "random", pulls=200, tasks=4, seed=1, times=[1, 50, 200])
    lost = result.pulls @ (1.0 - bandit.means)
    np.testing.assert_allclose(result.regret[:, -1], lost)
    assert (np.diff(result.regret, axis=1) >= 0).all()
    assert result.chose_best[:, -1].all()
    assert (result.simple_regret[:, -1] == 0).all()
    assert (result.simple_regret[:, 0] == 1.0 - bandit.means[result.chosen[:, 0]]).all()
    assert result.at(50) == 1
    mean, half = bandits.mean_and_interval(result.chose_best)
    assert mean[-1] == 1.0
    assert half[-1] == 0.0


def test_the_interval_of_a_mean_over_tasks():
    mean, half = bandits.mean_and_interval([[0.0, 3.0], [1.0, 3.0], [2.0, 3.0]])
    assert mean.tolist() == [1.0, 3.0]
    assert half == pytest.approx([1.96 / 3**0.5, 0.0], abs=1e-4)
    assert np.isnan(bandits.mean_and_interval([[0.0, 3.0]])[1]).all()


def test_recommendation_by_visits():
    bandit = bandits.boxes([0.4, 0.5], low=0.0, high=1.0)
    robust = bandits.run(bandit, "ucb1(c=5)", pulls=101, tasks=1, seed=1, recommend="robust")
    assert robust.chosen[0, -1] == np.argmax(robust.pulls[0])


def test_priors_of_arms():
    bandit = bandits.boxes([0.5] * 4, low=0.0, high=1.0).with_priors([1, 1, 1, 7])
    pulls = bandits.run(bandit, "puct", pulls=100, seed=1).pulls[0]
    assert pulls[3] > 2 * pulls[:3].max()


def test_one_arm():
    for name in policies():
        if policies()[name].needs_classes:
            continue
        assert bandits.run(bandits.bernoulli([0.5]), name, pulls=20, seed=1).pulls.tolist() == [[20]]


@pytest.mark.skipif(not JIT, reason="plain Python is too slow")
def test_a_million_pulls():
    result = bandits.run(bandits.bernoulli([0.5, 0.45]), "exp3(g=0.1)", pulls=1_000_000, seed=1, times=[1_000_000])
    assert np.isfinite(result.regret).all()
    assert result.chose_best.all()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: bandits.bernoulli([0.5, 1.2]), "must be from 0 to 1"),
        (lambda: bandits.bernoulli([]), "must be one or more finite numbers"),
        (lambda: bandits.bernoulli(["x"]), "the probabilities of the arms must be numbers"),
        (lambda: bandits.gaussian([0.5], deviation=-1.0), "invalid deviation"),
        (lambda: bandits.boxes([1.0], low=1.0, high=0.0), "the lower one first"),
        (lambda: bandits.random_boxes(0, 0.0, 1.0), "invalid number of boxes"),
        (lambda: bandits.random_boxes(3, 90.0, 1.0), "are almost never between"),
        (lambda: bandits.means_path(0, 0.1), "invalid number of arms"),
        (lambda: bandits.means_path(5, 0.1, deviation=-1.0), "invalid deviation"),
        (lambda: bandits.means_path(5, 0.0, binomial=True), "needs winners above 0"),
        (lambda: bandits.bernoulli([0.5]).with_priors([0.0]), "priors must be 1 numbers"),
        (lambda: bandits.bernoulli([0.5]).task(1).pull(1), "invalid arm 1: use 0 to 0"),
        (lambda: run(pulls=0), "pulls must be a whole number from 1, not 0"),
        (lambda: run(tasks=2.5), "tasks must be a whole number from 1, not 2.5"),
        (lambda: run(threads=0), "threads must be a whole number from 1"),
        (lambda: run(seed="x"), "the seed must be a whole number"),
        (lambda: run(times=[5, 5]), "times must be increasing"),
        (lambda: run(times=[11]), "times must be increasing"),
        (lambda: run(recommend="maxx"), "unknown recommendation 'maxx': did you mean 'max'"),
        (lambda: run(policy="ucb7"), "unknown selection policy 'ucb7'"),
        (lambda: run().at(7), "no checkpoint after 7 pulls"),
    ],
)
def test_mistakes_are_one_sentence(call, sentence):
    with pytest.raises(RamifyError, match=sentence) as error:
        call()
    assert "\n" not in str(error.value)


def run(policy="ucb1", **arguments):
    return bandits.run(bandits.bernoulli([0.5]), policy, **{"pulls": 10, "times": [10]} | arguments)
