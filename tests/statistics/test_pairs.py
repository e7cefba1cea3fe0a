import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ramify.errors import RamifyError
from ramify.statistics.pairs import PairedResults
from tests.statistics.simulated import seeded

GAME_SCORES = st.sampled_from([0.0, 0.5, 1.0])
PAIRS = st.lists(st.tuples(GAME_SCORES, GAME_SCORES), max_size=30)


def test_win_draw_and_loss_give_the_pentanomial():
    results = PairedResults.from_games([(1, 1), (1, 0.5), (0.5, 0.5), (1, 0), (0, 1), (0, 0), (0, 0.5)])
    assert results.pentanomial == (1, 1, 3, 1, 1)
    assert results == PairedResults.from_counts([1, 1, 3, 1, 1])
    assert (results.pairs, results.games, results.score) == (7, 14, 0.5)


def test_a_game_without_its_partner_counts_in_the_plain_score_only():
    results = PairedResults.from_games([(1, 0), (1, 1), (1,)])
    assert results.unfinished == (1,)
    assert results.games == 5
    assert results.score == pytest.approx(4 / 5)
    assert results.pair_score == pytest.approx(3 / 4)
    assert results.pairs == 2


def test_scores_may_be_any_number_in_the_unit_interval():
    free = PairedResults.from_games([(1 / 3, 2 / 3), (2 / 3, 1 / 3), (1 / 3, 1 / 3)])
    assert free.scores == (0.3333, 0.5)  # four digits are kept of what is not made of half points
    assert free.counts == (1, 2)
    with pytest.raises(RamifyError, match="pentanomial"):
        _ = free.pentanomial


def test_blocks_of_seat_permutations_take_the_place_of_pairs():
    results = PairedResults.from_games([(1, 0.5, 0, 1, 0.5, 0), (1, 1, 0.5, 1, 1, 1)], games_per_pair=6)
    assert results.pairs == 2
    assert results.games == 12
    assert results.scores == pytest.approx((0.5, 5.5 / 6))
    assert len(results.pentanomial) == 13


def test_nothing_played_has_no_score():
    assert math.isnan(PairedResults().score)
    assert math.isnan(PairedResults().pair_score)


@seeded
@given(PAIRS)
def test_moments_are_those_of_the_raw_scores(pairs):
    results = PairedResults.from_games(pairs)
    raw = np.mean(np.array(pairs).reshape(-1, 2), axis=1)
    assert sorted(raw) == list(results.pair_scores)
    if pairs:
        assert results.score == results.pair_score == pytest.approx(raw.mean())
        assert results.squares == pytest.approx(raw.var() * raw.size)


@seeded
@given(PAIRS, PAIRS)
def test_adding_results_is_playing_on(first, second):
    whole = PairedResults.from_games(first + second)
    assert PairedResults.from_games(first) + PairedResults.from_games(second) == whole


@seeded
@given(st.lists(st.floats(0, 1), max_size=20), st.integers(1, 6))
def test_any_scores_can_be_kept_and_mirrored(scores, games_per_pair):
    results = PairedResults.from_pair_scores(scores, games_per_pair)
    assert results.pairs == len(scores)
    assert results.mirrored().mirrored() == results
    if scores:
        assert results.score == pytest.approx(np.mean(scores), abs=1e-4)


@seeded
@given(PAIRS)
def test_mirroring_exchanges_the_sides(pairs):
    results = PairedResults.from_games([*pairs, (1.0,)])
    assert results.mirrored().pentanomial == results.pentanomial[::-1]
    assert results.mirrored().mirrored() == results
    assert results.mirrored().score == pytest.approx(1 - results.score)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: PairedResults.from_games([(1, 1, 1)]), "2 games, not 3"),
        (lambda: PairedResults.from_games([(1, 2)]), "use numbers from 0 to 1"),
        (lambda: PairedResults.from_games([(math.nan, 1)]), "use numbers from 0 to 1"),
        (lambda: PairedResults.from_counts([1, 2, 3]), "5 counts"),
        (lambda: PairedResults.from_counts([1, 2, -3, 0, 0]), "negative"),
        (lambda: PairedResults((0.5, 0.25), (1, 1)), "ascending"),
        (lambda: PairedResults((0.50000001,), (1,)), "rounded"),
        (lambda: PairedResults((0.5,), (0,)), "at least 1"),
        (lambda: PairedResults(games_per_pair=0), "at least 1 game"),
        (lambda: PairedResults() + PairedResults(games_per_pair=6), "cannot add results"),
    ],
)
def test_bad_results_are_rejected(make, sentence):
    with pytest.raises(RamifyError, match=sentence):
        make()


def test_the_old_name_of_the_pentanomial():
    results = PairedResults.from_counts([1, 0, 2, 0, 3])
    with pytest.warns(DeprecationWarning, match="pentanomial"):
        assert results.lattice_counts == results.pentanomial
