import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ramify.errors import RamifyError
from ramify.statistics.inference import (
    anytime_interval,
    elo,
    elo_interval,
    expected_score,
    holm,
    los,
    normalized_elo,
    normalized_elo_interval,
    paired_p_value,
    score_interval,
    wilson,
)
from ramify.statistics.pairs import PairedResults
from tests.statistics.simulated import KINDS, SCORES, covered, of, pentanomial, seeded, seeded_few

COUNTS = st.lists(st.integers(0, 40), min_size=5, max_size=5).filter(any)
INTERVALS = (score_interval, anytime_interval, elo_interval, normalized_elo_interval)


def singles(wins, losses, draws):
    """Games that are not paired: blocks of one."""
    return PairedResults.from_counts([losses, draws, wins], games_per_pair=1)


# Known values


@pytest.mark.parametrize(("successes", "n"), [(0, 10), (3, 10), (10, 10), (123, 200), (1, 5000)])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_wilson_is_scipys(successes, n, confidence):
    known = stats.binomtest(successes, n).proportion_ci(confidence, method="wilson")
    assert wilson(successes, n, confidence) == pytest.approx((successes / n, known.low, known.high), abs=1e-12)


def test_elo_of_known_scores():
    assert elo(0.64) == pytest.approx(99.95, abs=0.01)
    assert elo(10 / 11) == pytest.approx(400)
    assert expected_score(-200) == pytest.approx(0.2402, abs=1e-4)  # FIDE handbook B.02 table 8.1.2 rounds to .24
    assert (elo(0), elo(1)) == (-math.inf, math.inf)


@pytest.mark.parametrize(
    ("results", "nelo", "nelo_error", "plain", "plain_error", "superiority"),
    [
        # Disservin/fastchess, app/tests/elo_test.cpp; its errors are normal approximations.
        (of(34, 54, 31 + 32, 64, 75), 57.94, 28.28, 55.58, 27.65, 1.0000),
        (of(332, 433, 457 + 41, 333, 334), -9.17, 10.96, -8.64, 10.33, 0.0505),
        (of(7895, 8757, 5485 + 200, 568, 9999), -19.01, 2.65, -21.04, 2.95, 0.0000),
        (singles(136, 96, 111), 49.77, 36.77, 40.70, 30.43, 0.9960),
        # Disservin/fastchess, pull request 783; the plain Elo and LOS follow from the same counts.
        (of(379, 10170, 21828, 10640, 343), 3.05, 2.31, 1.60, 1.21, 0.9951),
    ],
)
def test_elo_of_published_matches(results, nelo, nelo_error, plain, plain_error, superiority):
    assert normalized_elo(results) == pytest.approx(nelo, abs=0.01)
    assert elo(results.pair_score) == pytest.approx(plain, abs=0.01)
    assert los(results) == pytest.approx(superiority, abs=2e-3)
    measured = normalized_elo_interval(results)
    assert (measured.high - measured.low) / 2 == pytest.approx(nelo_error, rel=0.05)
    measured = elo_interval(results)
    assert (measured.high - measured.low) / 2 == pytest.approx(plain_error, rel=0.02)


def test_los_of_single_games_is_the_classical_formula():
    assert los(singles(30, 20, 50)) == pytest.approx(stats.norm.cdf(10 / math.sqrt(50)))


@pytest.mark.parametrize(
    "counts", [(0, 0, 0, 0, 5), (1, 2, 3, 4, 5), (2, 0, 9, 1, 4), (0, 3, 0, 0, 6), (0, 0, 4, 0, 0)]
)
def test_few_pairs_get_scipys_exact_permutation_p_value(counts):
    scores = of(*counts).pair_scores
    known = stats.permutation_test(
        (scores, 1 - scores),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
    )
    assert paired_p_value(of(*counts)) == pytest.approx(known.pvalue)


def test_the_normal_p_value_of_many_pairs_is_near_the_exact_one():
    exact = of(180, 300, 900, 330, 200)
    assert paired_p_value(exact) == pytest.approx(2 * los(exact.mirrored()), rel=0.05)
    many = of(1800, 3000, 9000, 3060, 1890)
    assert paired_p_value(many) == pytest.approx(2 * los(many.mirrored()))


def test_holm_of_a_worked_example():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([]) == ()
    assert holm([0.7, 0.6]) == (1.0, 1.0)


# Behaviour at the edges


def test_all_pairs_alike_still_leave_doubt():
    drawn, won = of(0, 0, 10, 0, 0), of(0, 0, 0, 0, 10)
    for interval in INTERVALS:
        assert interval(drawn).low < interval(drawn).estimate < interval(drawn).high
        assert interval(won).low < interval(won).estimate <= interval(won).high
    assert elo_interval(won).high == normalized_elo_interval(won).high == math.inf
    assert normalized_elo(drawn) == 0
    assert normalized_elo_interval(of(0, 0, 0, 0, 5000)).low > 1000


def test_hardly_anything_played_says_nothing():
    for results in (PairedResults(), of(0, 0, 0, 0, 1), PairedResults.from_games([(1,)])):
        assert score_interval(results)[1:] == (0, 1)
        assert elo_interval(results)[1:] == (-math.inf, math.inf)
        assert normalized_elo_interval(results)[1:] == (-math.inf, math.inf)
        assert paired_p_value(results) == 1
    assert los(PairedResults()) == 0.5
    assert normalized_elo_interval(of(1, 0, 0, 0, 1))[1:] == (-math.inf, math.inf)


def test_unfinished_games_do_not_narrow_any_interval():
    finished = PairedResults.from_games([(1, 0), (1, 1), (0.5, 0)])
    more = finished + PairedResults.from_games([(1,)] * 50)
    for interval in INTERVALS:
        assert interval(more) == interval(finished)
    assert paired_p_value(more) == paired_p_value(finished)


def test_pairs_that_cancel_luck_are_worth_more_than_single_games():
    cancelling, repeating = of(0, 0, 60, 0, 40), of(30, 0, 0, 0, 70)  # both score 70 %
    as_games = wilson(140, 200)
    width = [i.high - i.low for i in (score_interval(cancelling), as_games, score_interval(repeating))]
    assert width == sorted(width)


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95])
def test_a_confidence_is_a_probability(confidence):
    for interval in INTERVALS:
        with pytest.raises(RamifyError, match="strictly between 0 and 1"):
            interval(of(1, 2, 3, 4, 5), confidence)


def test_impossible_proportions_and_p_values_are_refused():
    for successes, n in ((3, 2), (-1, 2), (0, 0)):
        with pytest.raises(RamifyError, match="proportion"):
            wilson(successes, n)
    with pytest.raises(RamifyError, match="use numbers from 0 to 1"):
        holm([0.2, 1.2])


# Properties


@seeded_few
@given(COUNTS)
def test_swapping_sides_mirrors_every_figure(counts):
    results = of(*counts)
    mirror = results.mirrored()
    assert los(results) + los(mirror) == pytest.approx(1)
    assert paired_p_value(results) == pytest.approx(paired_p_value(mirror))
    for interval in (score_interval, anytime_interval):
        here, there = interval(results), interval(mirror)
        assert there == pytest.approx((1 - here.estimate, 1 - here.high, 1 - here.low), abs=1e-9)
    for interval in (elo_interval, normalized_elo_interval):
        here, there = interval(results), interval(mirror)
        assert there == pytest.approx((-here.estimate, -here.high, -here.low), rel=1e-4, abs=1e-3)


@seeded_few
@given(COUNTS)
def test_intervals_hold_their_estimate_and_grow_with_confidence(counts):
    for interval in INTERVALS:
        narrow, wide = interval(of(*counts), 0.8), interval(of(*counts), 0.99)
        assert wide.low <= narrow.low <= narrow.estimate <= narrow.high <= wide.high
        assert narrow.low < narrow.high


@seeded_few
@given(st.lists(st.floats(0, 1) | st.floats(0.499, 0.501), min_size=2, max_size=15), st.integers(1, 6))
def test_any_scores_can_be_measured(scores, games_per_pair):
    results = PairedResults.from_pair_scores(scores, games_per_pair)
    for interval in INTERVALS:
        measured = interval(results)
        assert measured.low <= measured.estimate <= measured.high
    assert 0 < paired_p_value(results) <= 1


@seeded
@given(COUNTS, st.integers(0, 3))
def test_a_better_result_never_lowers_estimate_or_anytime_bounds(counts, worse):
    if not counts[worse]:
        return
    better = list(counts)
    better[worse] -= 1
    better[worse + 1] += 1
    before, after = anytime_interval(of(*counts)), anytime_interval(of(*better))
    assert all(a >= b - 1e-9 for b, a in zip(before, after, strict=True))
    assert paired_p_value(of(*counts)) > 0


@seeded
@given(st.floats(-1500, 1500))
def test_elo_and_expected_score_are_inverse(difference):
    assert elo(expected_score(difference)) == pytest.approx(difference, abs=1e-6)


@seeded
@given(st.integers(1, 400), st.integers(1, 400))
def test_wilson_rises_with_successes(successes, more):
    n = successes + more
    assert wilson(successes, n).low < wilson(n, n).low
    assert wilson(0, n).high < wilson(successes, n).high


@seeded
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_lies_between_raw_and_bonferroni_and_keeps_the_order(p_values):
    adjusted = holm(p_values)
    for raw, corrected in zip(p_values, adjusted, strict=True):
        assert raw <= corrected <= min(1, raw * len(p_values)) + 1e-12
    for i, j in itertools.combinations(range(len(p_values)), 2):
        if p_values[i] < p_values[j]:
            assert adjusted[i] <= adjusted[j]


# Simulation


@pytest.mark.parametrize("n", [10, 50, 200])
@pytest.mark.parametrize("score", [0.5, 0.8, 0.97])
@pytest.mark.parametrize("kind", KINDS)
def test_score_interval_covers_the_truth(kind, score, n):
    assert covered(score_interval, n, kind, score, score, samples=1000, seed=n) > 0.93


@pytest.mark.parametrize(("kind", "n"), [("repeated", 10), ("repeated", 50), ("cancelling", 10)])
def test_normalized_elo_interval_covers_the_truth(kind, n):
    p = pentanomial(kind, 0.7)
    deviation = math.sqrt(p @ (SCORES - 0.7) ** 2)
    truth = 0.2 / deviation / math.sqrt(2) * 800 / math.log(10)
    assert covered(normalized_elo_interval, n, kind, 0.7, truth, samples=50, seed=n) > 0.88


def test_anytime_interval_may_be_watched_while_the_fixed_one_may_not():
    runs, pairs = 40, 200
    failed = {score_interval: 0, anytime_interval: 0}
    for draws in np.random.default_rng(3).choice(5, size=(runs, pairs), p=pentanomial("independent", 0.6)):
        watched = [of(*np.bincount(draws[:n], minlength=5).tolist()) for n in range(5, pairs, 5)]
        for interval in failed:
            failed[interval] += any(not low <= 0.6 <= high for _, low, high in map(interval, watched))
    assert failed[anytime_interval] <= 0.05 * runs
    assert failed[score_interval] > 0.1 * runs


@pytest.mark.parametrize("n", [8, 60])
def test_p_value_rarely_rejects_equal_agents(n):
    drawn = np.random.default_rng(n).multinomial(n, pentanomial("repeated", 0.5), size=400)
    rejected = np.mean([paired_p_value(of(*counts.tolist())) <= 0.05 for counts in drawn])
    assert rejected <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 400)
