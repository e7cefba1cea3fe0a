"""Rewards one after another, the lead over the other player, and the discount of those who play alone."""

from math import exp, sqrt

import numpy as np
import pytest

import ramify
from ramify.core.kernels.pointers import address
from ramify.core.search.episode import EPISODE

GAMES = {1: "eight_puzzle", 2: "connect4", 3: "tests/toys/last_bean.py"}


class Told:
    """A reward that is told of simulations one by one."""

    def __init__(self, reward, players=2):
        self.game = ramify.load(GAMES[players])
        self.reward = ramify.agent(f"mcts(reward={reward})").reward
        self.fitted = self.reward.bind(self.game)
        self.scores = np.zeros(players)
        self.episode = np.zeros(1, EPISODE)
        self.episode["scores"] = address(self.scores)

    def warm(self):
        self.reward.on_new_root(self.fitted.block, self.game.initial(), same_game=False)
        self.reward.on_warm_up_end(self.fitted.block)

    def tell(self, scores, length=10):
        self.scores[:] = scores
        self.episode["depth"], self.episode["plies"] = 3, length - 3
        self.fitted.kernel(0 if self.fitted.block is None else address(self.fitted.block), address(self.episode))
        return self.scores.tolist()


def test_the_lead_counts():
    told = Told("difference")
    assert told.tell([1.0, 0.0]) == [1.0, 0.0]
    assert told.tell([1.0, 1.0]) == [0.5, 0.5]
    assert told.tell([0.6, 0.0]) == [0.8, 0.2]
    assert told.tell([0.3, 0.4]) == pytest.approx([0.45, 0.55])


@pytest.mark.parametrize("players", [1, 3])
def test_the_lead_is_for_two(players):
    assert Told("difference", players).fitted is None


def test_alone_nothing_shrinks_if_asked():
    assert Told("discount(single_player=false)", 1).fitted is None
    assert Told("chain(first=difference, last=discount(single_player=false))", 1).fitted is None
    assert Told("discount", 1).tell([0.5], 2) == pytest.approx([0.5 * 0.999**2])
    assert Told("discount(single_player=false)").tell([0.0, 1.0], 2) == pytest.approx([0.0, 0.999**2])


def test_the_order():
    """The lead first, then the bonus of a win, and the discount of both."""
    told = Told("chain(first=difference, then=relative_bonus(k=2), last=discount(factor=0.9))")
    told.warm()
    lengths = [24, 30, 36]
    for length in lengths:
        told.tell([0.8, 0.4], length)
    found = told.tell([0.8, 0.4], 22)
    x = (np.mean(lengths) - 22) / np.std(lengths)
    bonus = 0.125 * (-1 + 2 / (1 + exp(-2 * x)))
    assert found == pytest.approx([(0.7 + bonus) * 0.9**22, (0.3 - bonus) * 0.9**22])
    other = Told("chain(first=discount(factor=0.9), then=difference)")
    assert other.tell([0.8, 0.4], 2) == pytest.approx([0.5 + 0.2 * 0.81, 0.5 - 0.2 * 0.81])


def test_parts_are_told_when_the_root_moves():
    told = Told("chain(then=relative_bonus(k=1), last=discount(factor=1))")
    told.warm()
    for length in (10, 12, 14):
        told.tell([1.0, 0.0], length)
    with_bonus = told.tell([1.0, 0.0], 10)[0]
    assert with_bonus == pytest.approx(1 + 0.125 * (-1 + 2 / (1 + exp(-2 / sqrt(8 / 3)))))
    told.warm()
    assert told.tell([1.0, 0.0], 10) == [1.0, 0.0]


def test_an_empty_chain_is_the_score():
    assert Told("chain").fitted is None


@pytest.mark.parametrize("inner", ["relative_bonus(k=2)", "discount(factor=0.99)"])
def test_alone_or_in_a_chain_is_the_same_search(inner):
    """Also the first share of a search, in which a bonus only collects."""
    state = ramify.load("connect4").initial()
    plain, wrapped = (
        ramify.search(state, f"mcts(reward={reward})", simulations=600, seed=4)
        for reward in (inner, f"chain(then={inner})")
    )
    assert plain.children == wrapped.children
