"""Bonuses in real searches: recorded simulations against algorithm 1 in NumPy, true lengths, every policy."""

from functools import lru_cache
from math import inf, log

import numpy as np
import pytest

import ramify
from ramify.strategies.policy.registry import policies
from ramify.strategies.selection.kl_ucb import kl_ucb
from tests.strategies.recording import Recording

load = lru_cache(ramify.load)


def bonus_of(measure, sign, k, a, untouched, winners, at):
    """Algorithm 1 of Pepels et al. 2014 for one simulation, from all those before it."""
    before = measure[:at][winners[:at] == winners[at]]
    if at < untouched or winners[at] < 0 or len(before) == 0 or before.std() == 0.0:
        return 0.0
    if a is None:
        played = winners[:at] >= 0
        y = measure[:at][played]
        own = np.where(winners[:at][played] == 0, y, 0.0)  # the first player moves at the root
        a = 0.5 * abs(np.cov(own, y, ddof=0)[0, 1] / y.var())
    with np.errstate(over="ignore"):
        return a * (-1.0 + 2.0 / (1.0 + np.exp(-k * sign * (measure[at] - before.mean()) / before.std())))


def winners_of(scores):
    top = scores.max(axis=1)
    alone = (scores == top[:, None]).sum(axis=1) == 1
    return np.where(alone, scores.argmax(axis=1), -1)


def compare(recording, places, untouched, relative=None, qualitative=None):
    """Recorded scores after the reward against those that NumPy makes of the scores before."""
    winners = np.where(recording.column("cut") > 0, -1, winners_of(recording.column("before")))
    before, after = recording.column("before"), recording.column("after")
    for at in places:
        total = 0.0
        if relative:
            total += bonus_of(recording.column("length"), -1, *relative, untouched, winners, at)
        if qualitative:
            total += bonus_of(recording.column("quality"), 1, *qualitative, untouched, winners, at)
        signs = np.where(np.arange(recording.players) == winners[at], 1.0, -1.0)
        assert after[at] == pytest.approx(before[at] + signs * total, abs=1e-9), at


BOTH = "relative_bonus(k=8, a=0.125, then=qualitative_bonus(k=2, a=0.1))"


@pytest.mark.parametrize(
    ("reward", "relative", "qualitative"),
    [
        ("relative_bonus(k=8)", (8, 0.125), None),
        ("qualitative_bonus(k=2, a=0.2)", None, (2, 0.2)),
        (BOTH, (8, 0.125), (2, 0.1)),
        ("qualitative_bonus(k=2, online=true, then=relative_bonus(k=8, online=true))", (8, None), (2, None)),
    ],
)
def test_bonuses_are_those_of_algorithm_1(reward, relative, qualitative):
    recording = Recording("breakthrough(rows=6, columns=5)", f"mcts(reward={reward})", 1000)
    recording.run(simulations=1000)
    compare(recording, range(1000), 50, relative, qualitative)
    assert not recording.changed()[:50].any()
    assert recording.changed()[50:].mean() > 0.9


@pytest.mark.compiled_only
def test_bonuses_are_those_of_algorithm_1_in_a_long_search():
    recording = Recording("breakthrough", f"mcts(reward={BOTH})", 200_000)
    recording.run(simulations=200_000)
    places = np.random.default_rng(1).choice(200_000, 200, replace=False)
    compare(recording, [*places, 199_999], 10_000, (8, 0.125), (2, 0.1))


def test_bonuses_with_draws_and_cut_playouts():
    agent = "mcts(playout=uniform(limit=5), reward=relative_bonus(k=2))"
    recording = Recording("tictactoe", agent, 600)
    recording.run(simulations=600)
    assert 50 < recording.column("cut").sum() < 500
    assert (recording.column("before") == 0.5).all(axis=1).sum() > recording.column("cut").sum() + 10
    compare(recording, range(600), 30, relative=(2, 0.125))


def test_bonuses_of_three_players():
    recording = Recording("tests/toys/three_heaps.py", "mcts(reward=relative_bonus(k=2))", 600)
    recording.run(simulations=600)
    compare(recording, range(600), 30, relative=(2, 0.125))
    assert 200 < recording.changed().sum() < 600


def test_the_search_sees_the_changed_rewards():
    state = load("breakthrough").initial()
    plain, changed = (
        ramify.search(state, f"mcts(reward={reward})", simulations=3000, seed=1) for reward in ("score", BOTH)
    )
    assert [child.visits for child in plain.children] != [child.visits for child in changed.children]
    assert abs(plain.value - changed.value) < 0.1


def test_the_quality_in_place_of_the_result():
    for centred in (False, True):
        agent = f"mcts(reward=quality(centred={str(centred).lower()}))"
        recording = Recording("breakthrough(rows=6, columns=5)", agent, 300)
        recording.run(simulations=300)
        q = recording.column("quality")
        worth = q if centred else 0.5 + q / 2
        won = recording.column("before")[:, 0] == 1.0
        assert 50 < won.sum() < 250
        assert recording.column("after")[:, 0] == pytest.approx(np.where(won, worth, 1 - worth), abs=1e-15)
        assert recording.column("after").sum(axis=1) == pytest.approx(1.0)


def test_a_draw_has_no_quality():
    recording = Recording("pentalath(limit=6)", "mcts(reward=quality)", 50)
    recording.run(simulations=50)
    assert (recording.column("after") == 0.5).all()


def test_games_must_have_a_quality_also_for_what_follows():
    for name, reward in (
        ("reward", "qualitative_bonus"),
        ("reward", "quality"),
        ("then", "relative_bonus(then=qualitative_bonus)"),
    ):
        with pytest.raises(
            ramify.RamifyError, match=rf"^connect4 has no quality, which {name}=\w+ needs: use {name}=sco"
        ):
            ramify.Search(load("connect4").initial(), f"mcts(reward={reward})")


@pytest.mark.parametrize(
    ("reward", "words"),
    [
        ("relative_bonus(a=0.6)", "'a' must be at least 0 and at most 0.5, not 0.6"),
        ("relative_bonus(k=-1)", "'k' must be at least 0, not -1"),
        ("qualitative_bonus(online=1)", "'online' must be true or false, not '1'"),
        ("qualitative_bonus(signed=true)", "signed=true needs online=true"),
        ("relative_bonus(then=discount)", "'then' must be relative_bonus or qualitative_bonus, not discount"),
        ("relative_bonus(then=0.5)", "a reward must be written like reward=name(key=value), not '0.5'"),
        ("relative_bonus(then=quality_bonus)", "unknown reward 'quality_bonus'"),
        ("relative_bonus(a=1/8)", "'"),
        ("relativ_bonus", "did you mean 'relative_bonus'?"),
        ("quality(centred=yes)", "'centred' must be true or false, not 'yes'"),
    ],
)
def test_bonuses_that_are_refused(reward, words):
    with pytest.raises(ramify.RamifyError) as refusal:
        ramify.agent(f"mcts(reward={reward})")
    assert words in str(refusal.value)


def lengths(game, agent, simulations=200):
    recording = Recording(game, agent, simulations)
    recording.run(simulations=simulations)
    return recording.column("length")


@pytest.mark.parametrize("reward", ["relative_bonus", "qualitative_bonus(then=relative_bonus)", "discount"])
def test_lengths_are_true_where_a_reward_counts_them(reward):
    """Hex's own playout fills the board."""
    if "qualitative" in reward:  # which Hex has not; the rule is the same for all games
        assert any(one.needs_exact_length for one in ramify.agent(f"mcts(reward={reward})").reward.nested())
        return
    assert set(lengths("hex(size=4)", "mcts(reward=score)")) == {16.0}
    found = lengths("hex(size=4)", f"mcts(reward={reward})")
    assert 7 <= found.min() < 10
    assert found.max() <= 16
    plain = lengths("hex(size=4)", "mcts(reward=score, playout=uniform(limit=16))")  # move by move
    assert abs(found.mean() - plain.mean()) < 0.5


def test_other_games_keep_their_own_playout():
    state = load("breakthrough").initial()
    plain, counting = (
        ramify.Search(state, f"mcts(reward={reward})").workers[0].parts.playout.kernel.address
        for reward in ("score", "relative_bonus")
    )
    assert plain == counting


@pytest.mark.parametrize("name", policies())
def test_every_policy_takes_rewards_beyond_0_and_1(name):
    reward = "relative_bonus(k=1000, a=0.5, then=qualitative_bonus(k=1000, a=0.5))"
    state = load("breakthrough(rows=5, columns=4)").initial()
    recording = Recording(state.game, f"mcts(select={name}, reward={reward})", 400)
    recording.run(simulations=400)
    assert recording.column("after").min() < -0.5
    assert recording.column("after").max() > 1.5
    report = recording.search.report()
    assert sum(child.visits for child in report.children) == 400
    assert all(np.isfinite(child.value) and np.isfinite(child.estimate) for child in report.children if child.visits)


def test_kl_ucb_takes_a_mean_beyond_1_for_1():
    def indices(means):
        found = np.zeros(4)
        kl_ucb(log(40.0), 4, np.array([10.0] * 4), np.array(means), found)
        return found

    assert indices([1.2, 0.5, -0.3, 0.7]).tolist() == indices([1.0, 0.5, 0.0, 0.7]).tolist()
    assert max(indices([-0.1, -0.2, 0.0, 0.0])) < inf


def test_sufficiency_tells_wins_by_the_score_and_not_by_the_reward():
    """With a = 1/2 a bad win may be worth less than a draw; it is a win all the same."""
    agent = "mcts(select=sufficiency_dynamic, reward=relative_bonus(k=1000, a=0.5))"
    worker = (search := ramify.Search(load("breakthrough(rows=5, columns=4)").initial(), agent, seed=1)).workers[0]
    search.run(ramify.Budget(simulations=500))
    assert worker.parts.raw is not None
    wins, others = worker.parts.selectors.root_block["memory"][0][[0, 2]]
    assert wins + others == 500
    assert 0 < wins < 500


@pytest.mark.parametrize(("scale", "offset"), [(34 / 16, -17 / 16), (2.0, 0.0), (1.0, 3.0)])
def test_the_online_weight_depends_on_the_scale_of_quality(scale, offset):
    """a' = |Cov(Y_w, Y) / Var(Y)| changes when Y is shifted, because Y_w is 0 in the games that w does not win."""
    words = f"k=2, online=true, scale={scale!r}, offset={offset!r}"
    recording = Recording("breakthrough(rows=6, columns=5)", f"mcts(reward=qualitative_bonus({words}))", 600)
    recording.run(simulations=600)
    winners = winners_of(recording.column("before"))
    measure = scale * recording.column("quality") + offset
    before, after = recording.column("before"), recording.column("after")
    changes = []
    for at in range(30, 600):
        signs = np.where(np.arange(2) == winners[at], 1.0, -1.0)
        own, ours = (bonus_of(y, 1, 2, None, 30, winners, at) for y in (measure, recording.column("quality")))
        assert after[at] == pytest.approx(before[at] + signs * own, abs=1e-9), at
        changes.append(abs(own - ours))
    assert (max(changes) > 0.01) == (offset != 0.0)


def test_a_fixed_weight_does_not_depend_on_the_scale_of_quality():
    found = []
    for words in ("", ", scale=2.125, offset=-1.0625"):
        recording = Recording("breakthrough(rows=6, columns=5)", f"mcts(reward=qualitative_bonus(k=2{words}))", 300)
        recording.run(simulations=300)
        found.append(recording.column("after"))
    assert found[0] == pytest.approx(found[1], abs=1e-9)


@pytest.mark.parametrize(
    ("reward", "worth"),
    [
        ("quality", lambda q: q),
        ("quality(scale=2.125, offset=-1.0625)", lambda q: 2.125 * q - 1.0625),
        ("quality(k=2)", lambda q: -1 + 2 / (1 + np.exp(-2 * q))),
        ("quality(k=2, scale=2.125, offset=-1.0625)", lambda q: -1 + 2 / (1 + np.exp(-2 * (2.125 * q - 1.0625)))),
    ],
)
def test_quality_in_place_of_the_result(reward, worth):
    recording = Recording("breakthrough(rows=6, columns=5)", f"mcts(reward={reward})", 200)
    recording.run(simulations=200)
    q, winners = worth(recording.column("quality")), winners_of(recording.column("before"))
    signs = np.where(np.arange(2) == winners[:, None], 1.0, -1.0)
    assert recording.column("after") == pytest.approx((1 + signs * q[:, None]) / 2)


@pytest.mark.parametrize("words", ["scale=0", "scale=-1", "offset=x"])
def test_what_the_scale_of_quality_cannot_be(words):
    for reward in ("quality", "qualitative_bonus"):
        with pytest.raises(ramify.RamifyError, match=f"'{words.partition('=')[0]}' must be"):
            ramify.agent(f"mcts(reward={reward}({words}))")
