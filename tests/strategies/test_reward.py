"""Rewards other than the score: the bonus for the margin."""

from functools import lru_cache

import numpy as np
import pytest

import ramify

load = lru_cache(ramify.load)


@pytest.mark.parametrize(
    ("reward", "words"),
    [
        ("score_bonus(gamma=0.6)", "'gamma' must be from 0 to 0.5, so that a win stays above a loss, not 0.6"),
        ("score_bonus(gamma=-0.1)", "'gamma' must be at least 0, not -0.1"),
        ("score_bonus(gamma=much)", "'gamma' must be a number, not 'much'"),
        ("score_bonus(beta=1)", "beta"),
        ("score_bonos", "did you mean 'score_bonus'?"),
    ],
)
def test_rewards_that_are_refused(reward, words):
    with pytest.raises(ramify.RamifyError) as refusal:
        ramify.agent(f"mcts(reward={reward})")
    assert words in str(refusal.value)


@pytest.mark.parametrize(("game", "words"), [("connect4", "margin"), ("p_game(depth=1)", "margins on both sides")])
def test_games_without_a_margin(game, words):
    with pytest.raises(ramify.RamifyError, match=words):
        ramify.Search(load(game).initial(), "mcts(reward=score_bonus)")


def worth(state, gamma):
    """Both rewards of a finished game, by the definition."""
    low, high = state.game.margins()
    out = np.zeros(1)
    state.game.kernel("margin")(state.game.table().rules, state.data.ctypes.data, out.ctypes.data)
    won, margin = state.scores()[0], out[0]
    if won == 0.5:
        return 0.5
    return 1.0 - gamma + gamma * margin / high if won else gamma - gamma * margin / low


@pytest.mark.parametrize("gamma", [0.0, 0.02, 0.1, 0.5])
def test_what_a_finished_game_is_worth(gamma):
    """Every line of SOS(4), one simulation each: the reward of the line that was played is in the tree."""
    state = load("sos(n=4)").position("3/2")
    agent = f"mcts(reward=score_bonus(gamma={gamma}), expand_threshold=0)"
    search = ramify.Search(state, agent, seed=1)
    search.run(ramify.Budget(simulations=400))
    leaves = [node for node in search.report().tree().walk() if node.state.over]
    assert len(leaves) == 2
    for leaf in leaves:
        assert leaf.value == pytest.approx(1.0 - worth(leaf.state, gamma), abs=1e-12)


def test_linear_from_the_smallest_to_the_largest_margin():
    game = load("sos(n=4)")
    values = {text: worth(game.position(text), 0.1) for text in ("3,2/1,0", "3,1/2,0", "3,0/2,1", "0,1/3,2", "2,1/3,0")}
    assert values["3,2/1,0"] == pytest.approx(1.0)
    assert values["3,1/2,0"] == pytest.approx(0.9)  # won by nothing to spare
    assert values["0,1/3,2"] == pytest.approx(0.0)
    assert 0.0 < values["2,1/3,0"] <= values["3,0/2,1"] < 0.1
    low, high = game.margins()
    assert (low, high) == (-6.0, 2.0)


@pytest.mark.parametrize("agent", ["mcts(reward=score_bonus)", "mcts(select=rave, reward=score_bonus(gamma=0.1))"])
@pytest.mark.parametrize("game", ["othello", "sos"])
def test_values_stay_within_0_and_1(game, agent):
    report = ramify.search(load(game).initial(), agent, simulations=200, seed=2)
    assert all(0.0 <= child.value <= 1.0 and 0.0 <= child.estimate <= 1.0 for child in report.children)
