"""Policies and rewards of users that fail only after many simulations: the search refuses them there."""

import pytest

import ramify
from ramify.core.kernels.compiling import JIT
from tests.trusting import trust_all

pytestmark = pytest.mark.skipif(not JIT, reason="plain Python raises its own errors")

POLICIES = """
from math import sqrt


def nan_for_one_arm(n, m):
    return m + 0.0 * sqrt(90.0 - n)


def nan_after_a_branch(n, m):
    if n > 90.0:
        return m + sqrt(90.0 - n)
    return m


def fills_nan(N, means, indices):
    for k in range(len(indices)):
        indices[k] = means[k]
    if N > 200.0:
        indices[len(indices) - 1] = sqrt(90.0 - N)


def reads_beyond(N, means):
    return 0 if means[0 if N < 200.0 else 50] < 2.0 else 1


def writes_beyond(N, work):
    work[0 if N < 200.0 else 50] = 1.0
    return 0


def no_such_arm(N, means):
    return 0 if N < 200.0 else 50


def divides_by_zero(N, K):
    return 0 // max(0, 200 - int(N))


def learns_beyond(n, m):
    return m


def learns_beyond_update(N, k, reward, own_sums, sums):
    sums[k if N < 200.0 else 50] += reward
"""
REWARD = """
from dataclasses import dataclass

import numpy as np

from ramify.core.kernels.compiling import kernel
from ramify.core.kernels.pointers import array, record
from ramify.core.search.episode import EPISODE
from ramify.strategies.base import BoundStrategy, Reward


def spoil(block, episode_):
    episode = record(episode_, EPISODE)
    scores = array(episode.scores, 2, np.float64)
    if episode.number == 200:
        scores[{player}] += np.nan
    return 0


@dataclass(frozen=True)
class Spoilt(Reward):
    def bind(self, game):
        return BoundStrategy(kernel(spoil))
"""
NAN = "returned nan, or an arm that does not exist; in the position"
BOUNDS = "raised IndexError: index is out of bounds"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nan_for_one_arm", NAN),
        ("nan_after_a_branch", NAN),
        ("fills_nan", NAN),
        ("no_such_arm", NAN),
        ("reads_beyond", BOUNDS),
        ("writes_beyond", BOUNDS),
        ("learns_beyond", BOUNDS),
        ("divides_by_zero", "raised ZeroDivisionError"),
    ],
)
def test_policy(name, words, tmp_path, monkeypatch):
    trust_all(monkeypatch.setattr)
    path = tmp_path / "late.py"
    path.write_text(POLICIES, encoding="utf-8")
    with pytest.raises(ramify.RamifyError) as caught:
        ramify.search(ramify.load("tictactoe").initial(), f"mcts(select={path}:{name})", simulations=2000, seed=3)
    assert words in str(caught.value)
    assert str(caught.value).endswith(", seed 3")


@pytest.mark.parametrize(("player", "words"), [(0, "reward=spoilt returned nan; in the position"), (2, BOUNDS)])
def test_reward(player, words, tmp_path, monkeypatch):
    trust_all(monkeypatch.setattr)
    path = tmp_path / "late.py"
    path.write_text(REWARD.format(player=player), encoding="utf-8")
    with pytest.raises(ramify.RamifyError) as caught:
        ramify.search(ramify.load("tictactoe").initial(), f"mcts(reward={path}:spoilt)", simulations=2000, seed=3)
    assert words in str(caught.value)
