import math

import choix
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ramify.errors import RamifyError
from ramify.statistics.inference import elo, elo_interval, expected_score
from ramify.statistics.ratings import bradley_terry
from tests.statistics.simulated import of, pentanomial, seeded_few

COUNTS = st.lists(st.integers(0, 30), min_size=5, max_size=5).filter(any)


def test_two_players_with_hardly_a_prior_have_the_elo_of_their_score():
    match = of(3, 10, 30, 27, 20)
    ratings = bradley_terry({("a", "b"): match}, prior_draws=1e-6)
    lead = ratings.difference("a", "b")
    assert lead.estimate == pytest.approx(elo(match.score), abs=0.01)
    assert (lead.low, lead.high) == pytest.approx(elo_interval(match)[1:], abs=4)  # Student and Wilson against normal
    assert ratings.elo == pytest.approx((lead.estimate / 2, -lead.estimate / 2))


def test_estimates_solve_the_likelihood_equations():
    """At the maximum each player's points, prior included, equal the points the ratings expect."""
    pool = {("a", "b"): of(3, 10, 30, 27, 20), ("b", "c"): of(0, 0, 20, 5, 15), ("c", "a"): of(20, 4, 8, 0, 0)}
    ratings = bradley_terry(pool)
    level = 0.0
    rating = dict(zip(ratings.players, ratings.elo, strict=True))
    points = dict.fromkeys(rating, 0.5)
    expected = {}
    for _ in range(200):  # the imaginary player's rating is where its own three draws are expected
        expected = {player: expected_score(rating[player] - level) for player in rating}
        level += 100 * (sum(expected.values()) - 1.5)
    for (first, second), match in pool.items():
        for player, other, seen in ((first, second, match), (second, first, match.mirrored())):
            points[player] += seen.games * seen.score
            expected[player] += seen.games * expected_score(rating[player] - rating[other])
    assert points == pytest.approx(expected, abs=1e-4)


def test_simulated_games_give_back_choixs_parameters():
    parameters = np.array([0.0, 0.4, -0.3, 1.1])
    pool = {}
    for i in range(4):
        for j in range(i):
            win, _ = choix.probabilities([i, j], parameters)
            counts = np.rint(1e5 * np.array([(1 - win) ** 2, 0, 2 * win * (1 - win), 0, win**2])).astype(int)
            pool[f"{i}", f"{j}"] = of(*counts.tolist())
    ratings = bradley_terry(pool)
    assert ratings.players == ("3", "1", "0", "2")
    assert ratings.elo == pytest.approx((parameters - parameters.mean())[[3, 1, 0, 2]] * 400 / math.log(10), abs=0.5)


def test_clean_sweeps_are_finite_and_wide():
    ratings = bradley_terry({("a", "b"): of(0, 0, 0, 0, 100), ("b", "c"): of(0, 0, 0, 0, 100)})
    assert ratings.players == ("a", "b", "c")
    assert 500 < ratings.elo[0] < 2000
    assert ratings.interval("a").high - ratings.interval("a").low > 500
    assert ratings.los("a", "c") > 0.95


def test_players_who_never_met_are_compared_with_great_doubt():
    apart = bradley_terry(
        {("a", "b"): of(0, 0, 50, 0, 50), ("c", "d"): of(0, 0, 50, 0, 50), ("e", "a"): of(0, 0, 0, 0, 0)}
    )
    near, far = apart.difference("a", "b"), apart.difference("a", "c")
    assert far.high - far.low > 5 * (near.high - near.low)
    assert apart.interval("e").high - apart.interval("e").low > 1000


def test_an_anchor_sets_the_origin():
    pool = {("a", "b"): of(3, 10, 30, 27, 20), ("b", "c"): of(0, 0, 20, 5, 15)}
    free, held = bradley_terry(pool), bradley_terry(pool, anchor="c")
    assert held.interval("c") == (0, 0, 0)
    assert held.interval("a") == pytest.approx(held.difference("a", "c"))
    assert held.difference("a", "b") == pytest.approx(free.difference("a", "b"))
    assert sum(free.elo) == pytest.approx(0)


def test_either_order_of_the_players_is_the_same_pairing():
    match, more = of(3, 10, 30, 27, 20), of(1, 0, 4, 0, 9)
    whole = bradley_terry({("a", "b"): match + more})
    parts = bradley_terry({("a", "b"): match, ("b", "a"): more.mirrored()})
    assert parts == whole
    assert parts.covariance == pytest.approx(whole.covariance)
    assert whole.los("a", "a") == 0.5


def test_pairs_that_cancel_luck_narrow_the_intervals():
    widths = []
    for match in (of(0, 0, 60, 0, 40), of(9, 0, 42, 0, 49), of(30, 0, 0, 0, 70)):  # all score 70 %
        lead = bradley_terry({("a", "b"): match}).difference("a", "b")
        widths.append(lead.high - lead.low)
    assert widths == sorted(widths)
    assert widths[2] > 1.3 * widths[1]


@seeded_few
@given(st.lists(COUNTS, min_size=3, max_size=3))
def test_swapping_all_sides_turns_the_ratings_over(matches):
    pairings = [("a", "b"), ("b", "c"), ("c", "a")]
    pool = {pairing: of(*counts) for pairing, counts in zip(pairings, matches, strict=True)}
    ratings = bradley_terry(pool)
    turned = bradley_terry({pairing: match.mirrored() for pairing, match in pool.items()})
    for player in "abc":
        here, there = ratings.interval(player), turned.interval(player)
        assert there == pytest.approx((-here.estimate, -here.high, -here.low), abs=0.01)


def test_intervals_cover_the_truth():
    truth = {"a": 120.0, "b": 0.0, "c": -120.0}
    kinds = {("a", "b"): "repeated", ("b", "c"): "cancelling", ("a", "c"): "independent"}
    rng = np.random.default_rng(4)
    runs, covered = 150, []
    for _ in range(runs):
        pool = {}
        for (first, second), kind in kinds.items():
            probabilities = pentanomial(kind, expected_score(truth[first] - truth[second]))
            pool[first, second] = of(*rng.multinomial(40, probabilities).tolist())
        ratings = bradley_terry(pool)
        for player, rating in truth.items():
            interval = ratings.interval(player)
            covered.append(interval.low <= rating <= interval.high)
    assert 0.92 <= np.mean(covered) <= 0.99


def test_senseless_pools_are_refused():
    pool = {("uct", "random"): of(0, 0, 0, 0, 9)}
    with pytest.raises(RamifyError, match="did you mean 'random'"):
        bradley_terry(pool, anchor="rando")
    with pytest.raises(RamifyError, match="did you mean 'uct'"):
        bradley_terry(pool).interval("uct1")
    with pytest.raises(RamifyError, match="positive"):
        bradley_terry(pool, prior_draws=0)
    with pytest.raises(RamifyError, match="itself"):
        bradley_terry({("a", "a"): of(0, 0, 0, 0, 9)})
