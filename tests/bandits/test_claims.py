"""What papers say of bandits, at a small size."""

from itertools import pairwise

import numpy as np
import pytest

from ramify import RamifyError, bandits
from ramify.core.kernels.compiling import JIT
from ramify.strategies.policy.registry import policies

pytestmark = pytest.mark.skipif(not JIT, reason="millions of pulls, which plain Python is too slow for")

SPREAD = bandits.bernoulli([0.9, 0.6, 0.5, 0.5, 0.4, 0.4, 0.3, 0.3, 0.2, 0.1])
UCB1 = "ucb1(c=1.4142135623730951)"


def regret(bandit, policy, pulls, tasks, seed=1):
    """Mean cumulative regret at the end and half the width of its interval."""
    result = bandits.run(bandit, policy, pulls=pulls, tasks=tasks, seed=seed, times=[pulls])
    mean, half = bandits.mean_and_interval(result.regret)
    return mean[-1], half[-1]


@pytest.mark.parametrize(
    "name",
    [name for name in policies() if name not in ("random", "round_robin") and not policies()[name].needs_classes],
)
def test_regret_is_below_that_of_even_pulls(name):
    mean, half = regret(SPREAD, name, 1000, 60)
    even, even_half = regret(SPREAD, "random", 1000, 60)
    assert mean + half < even - even_half


def test_order_on_two_bernoulli_arms():
    """Garivier and Cappé 2011, first scenario; Thompson sampling below KL-UCB: Kaufmann, Korda and Munos 2012."""
    bandit = bandits.bernoulli([0.9, 0.8])
    names = [UCB1, "moss", "ucb1_tuned", "kl_ucb", "thompson"]
    found = {name: regret(bandit, name, 10_000, 300) for name in names}
    for worse, better in pairwise(names):
        assert found[better][0] < found[worse][0], (better, worse)
    for worse, better in zip(names, names[2:], strict=False):
        assert sum(found[better]) < found[worse][0] - found[worse][1], (better, worse)


def test_order_on_ten_poor_bernoulli_arms():
    """Their second scenario: chances near 0, where bounds by divergence gain most."""
    bandit = bandits.bernoulli([0.1, *[0.05] * 3, *[0.02] * 3, *[0.01] * 3])
    found = {name: regret(bandit, name, 5000, 60) for name in (UCB1, "ucb1_tuned", "moss", "kl_ucb", "thompson")}
    for better, worse in (
        ("thompson", "kl_ucb"),
        ("kl_ucb", "moss"),
        ("kl_ucb", "ucb1_tuned"),
        ("moss", UCB1),
        ("ucb1_tuned", UCB1),
    ):
        assert sum(found[better]) < found[worse][0] - found[worse][1], (better, worse)


@pytest.mark.parametrize(
    ("constant", "pulls"),
    [
        (1.0, [7, 1993]),  # 2 sqrt(ln N / n) on [-1, 1], as printed with 2 C sqrt(2 ln N / n) and C = 1 / sqrt 2
        (0.35 * 2**0.5, [2, 1998]),  # 0.7 sqrt(2 ln N / n) on [-1, 1], which made the figures: table 1
    ],
)
def test_two_prize_boxes(constant, pulls):
    result = bandits.run(bandits.boxes([-1.0, 1.0]), f"ucb1(c={constant})", pulls=2000, tasks=20, seed=1)
    assert (result.pulls == pulls).all()


def test_two_prize_boxes_halved():
    """Table 1: sequential halving pulls both alike."""
    result = bandits.spend(bandits.boxes([-1.0, 1.0]), "sequential_halving", pulls=2000, tasks=3, seed=1)
    assert (result.pulls == [1000, 1000]).all()
    assert (result.chosen == 1).all()


def gain(arms, winners, models, tasks, time=1000):
    """How much oftener sufficiency returns a winner than plain UCB does, with its interval over models."""
    differences = []
    for model in range(models):
        bandit = bandits.means_path(arms, winners, seed=model)
        ratios = [
            bandits.run(bandit, policy, pulls=time, tasks=tasks, seed=model, times=[time]).chose_best.mean()
            for policy in ("sufficiency(c=0.4, alpha=0.6)", "ucb1(c=0.4)")
        ]
        differences.append(ratios[0] - ratios[1])
    mean, half = bandits.mean_and_interval(np.array(differences)[:, None])
    return mean[0], half[0]


def test_sufficiency_helps_with_many_arms():
    """Gudmundsson and Björnsson 2013, figure 4a: above UCT with 50 arms; at full size +0.029 +- 0.011 here."""
    mean, half = gain(50, 0.1, models=50, tasks=20)
    assert mean - half > 0.0


def test_sufficiency_does_not_matter_with_few():
    """Figure 3a: no significant gain with 20 arms and 10 % winners; at full size +0.002 +- 0.002 here."""
    mean, half = gain(20, 0.1, models=50, tasks=20)
    assert abs(mean) < max(half, 0.01)


def test_an_allocation_that_halves_in_every_node_is_refused():
    with pytest.raises(
        RamifyError, match="allocation=shot halves in every node of a tree, which a bandit does not have"
    ):
        bandits.spend(bandits.boxes([0.0, 1.0]), "shot", pulls=20)
