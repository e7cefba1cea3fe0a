"""The bonuses on simulations made by hand: who gets them, when, and how the sums behave over a long time."""

from math import exp

import numpy as np
import pytest

import ramify
from ramify.core.kernels.compiling import kernel
from ramify.core.kernels.pointers import address, array, record
from ramify.core.search.episode import EPISODE
from ramify.core.search.winner import winner_of
from ramify.strategies.control_variates import BONUS, SPREAD, reward_by_bonuses, sample, sample_both

GAMES = {1: "eight_puzzle", 2: "connect4", 3: "tests/toys/last_bean.py"}


class Simulations:
    """A reward that is told of simulations one by one, compiled and as plain Python, which must agree to the bit."""

    def __init__(self, reward="relative_bonus(k=1)", players=2, warm=True):
        self.game = ramify.load(GAMES[players])
        self.reward = ramify.agent(f"mcts(reward={reward})").reward
        self.fitted = [self.reward.bind(self.game) for _ in range(2)]
        self.scores = np.zeros((2, players))
        self.episode = np.zeros(1, EPISODE)
        self.move_on(self.game.initial(), same_game=False)
        if warm:
            for one in self.fitted:
                self.reward.on_warm_up_end(one.block)

    def move_on(self, state, same_game):
        for one in self.fitted:
            self.reward.on_new_root(one.block, state, same_game=same_game)

    def tell(self, scores, length, cut=False):
        """The scores after a simulation of that length."""
        self.scores[:] = scores
        self.episode["depth"], self.episode["plies"], self.episode["cut"] = 2, length - 2, cut
        runs = (self.fitted[0].kernel, reward_by_bonuses)
        for run, one, own in zip(runs, self.fitted, self.scores, strict=True):
            self.episode["scores"] = address(own)
            run(address(one.block), address(self.episode))
        assert self.scores[0].tobytes() == self.scores[1].tobytes()
        assert self.fitted[0].block.tobytes() == self.fitted[1].block.tobytes()
        return self.scores[0].tolist()

    @property
    def known(self):
        return [int(one["count"]) for one in self.fitted[0].block["winners"][0][: self.game.players]]


def b(x):
    return -1.0 + 2.0 / (1.0 + exp(-x))


WON, LOST, DRAWN = [1.0, 0.0], [0.0, 1.0], [0.5, 0.5]


def test_a_bonus_needs_two_different_lengths_of_that_winner():
    told = Simulations("relative_bonus(k=3, a=0.1)")
    assert told.tell(WON, 10) == WON
    assert told.tell(WON, 10) == WON
    assert told.tell(WON, 16) == WON  # all of one length so far: no deviation
    assert told.tell(LOST, 12) == LOST  # nothing known of the other winner
    mean, deviation = np.mean([10, 10, 16]), np.std([10, 10, 16])
    bonus = 0.1 * b(3 * (mean - 11) / deviation)
    assert bonus > 0.0
    assert told.tell(WON, 11) == pytest.approx([1 + bonus, -bonus], abs=1e-15)
    mean, deviation = np.mean([10, 10, 16, 11]), np.std([10, 10, 16, 11])
    malus = 0.1 * b(3 * (mean - 30) / deviation)
    assert malus < -0.099
    assert told.tell(WON, 30) == pytest.approx([1 + malus, -malus], abs=1e-15)


def test_a_long_loss_is_better_than_a_short_one():
    told = Simulations()
    for length in (10, 20):
        told.tell(LOST, length)
    assert told.tell(LOST, 12)[0] < 0.0 < told.tell(LOST, 40)[0]


@pytest.mark.parametrize("scores", [DRAWN, [0.3, 0.3], [1.0, 1.0], [0.0, 0.0]])
def test_draws_change_nothing_and_are_not_counted(scores):
    told = Simulations()
    for length in (10, 20):
        told.tell(WON, length)
    assert told.tell(scores, 3) == scores
    assert told.known == [2, 0]


def test_cut_playouts_change_nothing_and_are_not_counted():
    told = Simulations()
    for length in (10, 20):
        told.tell(WON, length)
    assert told.tell([0.6, 0.4], 3, cut=True) == [0.6, 0.4]  # scored by somebody, but nobody has won
    assert told.known == [2, 0]


def test_who_wins_less_than_everything_wins_all_the_same():
    told = Simulations()
    for length in (10, 20):
        told.tell([0.45, 0.35], length)
    after = told.tell([0.45, 0.35], 11)
    assert after[0] - 0.45 == pytest.approx(0.35 - after[1])
    assert after[0] > 0.45


def test_of_three_players_one_wins_and_two_pay():
    told = Simulations(players=3)
    for length in (10, 20):
        told.tell([0.2, 0.5, 0.3], length)
    before = np.array([0.2, 0.5, 0.3])
    change = told.tell(before, 11) - before
    assert change[1] > 0.01
    assert change == pytest.approx([-change[1], change[1], -change[1]])
    assert told.tell([0.5, 0.5, 0.0], 11) == [0.5, 0.5, 0.0]  # two are first: nobody has won
    assert told.known == [0, 3, 0]


def test_playing_alone_one_wins_above_a_half():
    told = Simulations(players=1)
    for length in (10, 20, 14):
        told.tell([0.8], length)
    assert told.tell([0.8], 11)[0] > 0.8
    assert told.tell([0.5], 11) == [0.5]
    assert told.tell([0.0], 11) == [0.0]
    assert told.known == [4]


@pytest.mark.parametrize(
    ("scores", "winner"),
    [([1, 0], 0), ([0, 1], 1), ([0.5, 0.5], -1), ([0.4, 0.4, 0.2], -1), ([0.2, 0.4, 0.4], -1), ([0.3, 0.3, 0.4], 2)],
)
def test_the_winner_has_the_highest_score_alone(scores, winner):
    assert winner_of(np.array(scores, float), len(scores)) == winner


def test_lengths_are_collected_before_they_count():
    told = Simulations(warm=False)
    for length in (10, 20, 12):
        assert told.tell(WON, length) == WON
    assert told.known == [3, 0]
    told.reward.on_warm_up_end(told.fitted[0].block)
    told.reward.on_warm_up_end(told.fitted[1].block)
    assert told.tell(WON, 12) != WON


def test_every_move_starts_anew():
    told = Simulations()
    for length in (10, 20, 12):
        told.tell(WON, length)
    told.move_on(told.game.initial().play("4"), same_game=True)
    assert told.known == [0, 0]
    for length in (10, 20, 12):
        assert told.tell(WON, length) == WON  # not warm yet


def test_the_rule_of_the_program_is_50_samples_of_the_winner_and_not_in_the_first_search():
    told = Simulations("relative_bonus(wait_for_samples=true)")
    rng = np.random.default_rng(1)
    lengths = rng.integers(10, 30, 60)
    for length in lengths:
        assert told.tell(WON, length) == WON  # the first search of the game
    told.move_on(told.game.initial().play("4"), same_game=True)
    for length in lengths[:50]:
        assert told.tell(WON, length) == WON
        assert told.tell(DRAWN, length) == DRAWN
    assert told.tell(LOST, 10) == LOST
    assert told.tell(WON, 10)[0] > 1.0


@pytest.mark.parametrize(("slip", "sign"), [("false", 1), ("true", -1)])
def test_the_slip_turns_the_sign_beyond_10(slip, sign):
    told = Simulations(f"relative_bonus(k=8, a=0.125, sign_error={slip})")
    for length in (10, 20) * 50:
        told.tell(WON, length)
    assert told.tell(WON, 15 - 12)[0] == pytest.approx(1 + sign * 0.125)  # 8 * 12 / 5 = 19
    assert told.tell(WON, 15 + 12)[0] == pytest.approx(1 - sign * 0.125)
    inside = 0.125 * b(8 * 6 / 5)
    assert told.tell(WON, 15 - 6)[0] == pytest.approx(1 + inside, abs=0.001)


def samples_of(count, seed=3):
    rng = np.random.default_rng(seed)
    wins = rng.random(count) < 0.6
    return rng.integers(20, 60, count) + 9 * wins, wins


def slope(lengths, wins, player):
    own = np.where(wins == (player == 0), lengths, 0.0)
    return np.cov(own, lengths, ddof=0)[0, 1] / np.var(lengths)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("signed", [False, True])
def test_online_weights_are_half_the_covariance_over_the_variance(player, signed):
    lengths, wins = samples_of(400)
    told = Simulations(f"relative_bonus(k=1, online=true, signed={str(signed).lower()})")
    state = told.game.initial()
    if player:
        state = state.play("4")
    told.move_on(state, same_game=False)
    for one in told.fitted:
        told.reward.on_warm_up_end(one.block)
    earlier = player if signed else 0  # one ply has been played, and counts for the program
    for k, (length, win) in enumerate(zip(lengths, wins, strict=True)):
        after = told.tell(WON if win else LOST, length)[0 if win else 1] - 1.0
        same = lengths[:k][wins[:k] == win]
        if len(same) == 0 or np.std(same) == 0.0:
            assert after == 0.0
            continue
        a = slope(lengths[:k] + earlier, wins[:k], player) / 2
        expected = (a if signed else abs(a)) * b((np.mean(same) - length) / np.std(same))
        assert after == pytest.approx(expected, abs=1e-12)
    if signed:
        assert (slope(lengths + earlier, wins, player) < 0.0) == (player == 1)  # one of the two is below 0


def test_signed_weights_go_on_through_the_game():
    told = Simulations("relative_bonus(online=true, signed=true, then=relative_bonus(online=true))")
    sums = told.fitted[0].block["count"]
    lengths, wins = samples_of(30)
    for length, win in zip(lengths, wins, strict=True):
        told.tell(WON if win else LOST, length)
    later = told.game.initial().play("4").play("4")
    told.move_on(later, same_game=True)
    assert sums.tolist() == [30.0, 0.0]
    assert told.fitted[0].block["earlier"].tolist() == [2, 0]
    told.move_on(told.game.initial(), same_game=False)
    assert sums.tolist() == [0.0, 0.0]


def test_any_length_gives_a_finite_bonus():
    told = Simulations("relative_bonus(k=1e9, a=0.5)")
    for length in (10, 11, 1_000_000, 2, 10):
        assert all(-0.5 <= score <= 1.5 for score in told.tell(WON, length))


LONG = 10_000_000
STREAM = np.dtype([("values", np.int64), ("count", np.int64), ("spread", np.int64), ("bonus", np.int64)])


def take_all(stream_):
    stream = record(stream_, STREAM)
    values = array(stream.values, stream.count, np.float64)
    spread = record(stream.spread, SPREAD)
    bonus = record(stream.bonus, BONUS)
    for k in range(stream.count):
        sample(spread, values[k])
        sample_both(bonus, values[k], k % 3 == 0)
    return 0


@pytest.mark.compiled_only
def test_ten_million_samples_do_not_drift():
    """A mean a million times the deviation, where sums of squares would have lost every digit."""
    values = 1e6 + np.random.default_rng(5).normal(size=LONG)
    spread, bonus = np.zeros(1, SPREAD), np.zeros(1, BONUS)
    stream = np.array([(address(values), LONG, address(spread), address(bonus))], STREAM)
    kernel(take_all)(address(stream))
    mean, deviation = values.mean(), values.std()
    own = np.where(np.arange(LONG) % 3 == 0, values, 0.0)
    slope = np.mean((own - own.mean()) * (values - mean)) / deviation**2
    for found in (spread[0], bonus[0]):
        assert found["count"] == LONG
        assert found["mean"] == pytest.approx(mean, rel=1e-13)
        assert np.sqrt(found["squares"] / LONG) == pytest.approx(deviation, rel=1e-8)
    assert bonus["products"][0] / bonus["squares"][0] == pytest.approx(slope, rel=1e-5)
