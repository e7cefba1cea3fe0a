"""Rewards other than the score: the bonus for the margin, the discount; and what they leave for policies to see."""

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
        ("sigmoid(k=0)", "'k' must be above 0, not 0"),
    ],
)
def test_rewards_that_are_refused(reward, words):
    with pytest.raises(ramify.RamifyError) as refusal:
        ramify.agent(f"mcts(reward={reward})")
    assert words in str(refusal.value)


@pytest.mark.parametrize(("game", "words"), [("connect4", "margin"), ("p_game(depth=1)", "margins of both signs")])
def test_games_without_a_margin(game, words):
    with pytest.raises(ramify.RamifyError, match=words):
        ramify.Search(load(game).initial(), "mcts(reward=score_bonus)")


def test_games_without_a_margin_have_no_sigmoid():
    with pytest.raises(ramify.RamifyError, match="connect4 has no margin, which reward=sigmoid needs"):
        ramify.Search(load("connect4").initial(), "mcts(reward=sigmoid)")


def margin_of(state):
    out = np.zeros(1)
    state.game.kernel("margin")(state.game.table().rules, state.data.ctypes.data, out.ctypes.data)
    return float(out[0])


@pytest.mark.parametrize("k", [1e-3, 0.1, 1.0, 100.0])
def test_a_sigmoid_of_the_margin(k):
    """Every line of SOS(4), one simulation each: the second player made the last move."""
    search = ramify.Search(load("sos(n=4)").position("3/2"), f"mcts(reward=sigmoid(k={k}), expand_threshold=0)", seed=1)
    search.run(ramify.Budget(simulations=400))
    leaves = [node for node in search.report().tree().walk() if node.state.over]
    assert {margin_of(leaf.state) for leaf in leaves} == {-2.0, 0.0}
    for leaf in leaves:
        assert leaf.value == pytest.approx(1.0 - 1.0 / (1.0 + np.exp(-k * margin_of(leaf.state))), abs=1e-12)


def test_a_cut_playout_keeps_its_value():
    report = ramify.search(
        load("othello").initial(), "mcts(reward=sigmoid, playout=uniform(limit=3))", simulations=50, seed=1
    )
    assert {child.value for child in report.children} == {0.5}


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


def test_a_discount_is_for_every_ply_to_the_end():
    """Every line of SOS(4), one simulation each, two plies from the root or one."""
    state = load("sos(n=4)").position("3/2")
    search = ramify.Search(state, "mcts(reward=discount(factor=0.9), expand_threshold=0)", seed=1)
    search.run(ramify.Budget(simulations=400))
    leaves = [node for node in search.report().tree().walk() if node.state.over]
    assert len(leaves) == 2
    scores = {leaf.state.scores()[1]: leaf.value for leaf in leaves}
    assert scores == {score: pytest.approx(0.81 * score, abs=1e-12) for score in scores}
    assert max(scores) == 1.0


@pytest.mark.parametrize("towards", [0.0, 0.5, 1.0])
def test_a_discount_shrinks_the_distance_to_what_it_goes_towards(towards):
    """0.5 is a factor on values in [-1, 1]: a loss in two plies is worth 0.5 - 0.81 / 2."""
    state = load("sos(n=4)").position("3/2")
    search = ramify.Search(state, f"mcts(reward=discount(factor=0.9, towards={towards}), expand_threshold=0)", seed=1)
    search.run(ramify.Budget(simulations=400))
    leaves = [node for node in search.report().tree().walk() if node.state.over]
    assert {leaf.state.scores()[1] for leaf in leaves} == {0.0, 1.0}
    for leaf in leaves:
        assert leaf.value == pytest.approx(towards + 0.81 * (leaf.state.scores()[1] - towards), abs=1e-12)


def test_discounts_that_are_refused():
    for factor in ("0", "1.1", "often"):
        with pytest.raises(ramify.RamifyError, match="'factor' must be"):
            ramify.agent(f"mcts(reward=discount(factor={factor}))")


ASKING = """
def asking(n, m, memory):
    return m + 1.0 / n


def asking_after(raw, reward, memory):
    memory[0] += raw
    memory[1] += reward
    memory[2] += raw > 0.5 and reward <= 0.5
"""


@pytest.mark.parametrize("place", ["select", "select_root"])
def test_the_games_own_score_is_there_for_policies_that_ask(place, tmp_path):
    file = tmp_path / "asking.py"
    file.write_text(ASKING)
    state = load("connect4").initial()

    def memory(reward):
        search = ramify.Search(state, f"mcts({place}={file}:asking, reward={reward})", seed=3)
        search.run(ramify.Budget(simulations=300))
        selectors = search.workers[0].parts.selectors
        return (selectors.root_block if place == "select_root" else selectors.inner_block)["memory"][0][:3]

    plain, discounted = memory("score"), memory("discount(factor=0.9)")
    assert plain[0] == plain[1] > 50.0
    assert plain[2] == 0.0
    assert discounted[0] % 0.5 == 0.0
    assert discounted[2] > 50.0
    assert discounted[0] > 2.0 * discounted[1] > 0.0


def test_scores_are_kept_only_where_somebody_asks():
    state = load("connect4").initial()
    for agent, kept in (
        ("mcts(reward=discount)", False),
        ("mcts(select=exp3, reward=discount)", False),
        ("mcts(select=sufficiency_dynamic)", False),
        ("mcts(select_root=sufficiency_dynamic, reward=discount)", True),
    ):
        assert bool(ramify.Search(state, agent).workers[0].parts.raw) == kept
