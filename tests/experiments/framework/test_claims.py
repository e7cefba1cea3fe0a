"""Every verdict can be reached, by data made for it, and errs as seldom as it says."""

import math

import numpy as np
import pytest
from scipy.stats import binom, norm, ttest_1samp, ttest_ind

from ramify.experiments.framework import claims
from ramify.experiments.framework.claims import OURS, Claim, Source, Verdict, judge
from ramify.experiments.framework.estimates import (
    NO_ESTIMATE,
    Estimate,
    bands,
    format_interval,
    mean,
    mean_difference,
    share,
    share_difference,
)
from ramify.statistics.inference import Interval

OUTCOMES = (True, None, False)


def estimate(centre, half=0.2):
    """An estimate with this half width at 95 %, by the normal distribution."""

    def at(confidence):
        wide = half * norm.ppf((1 + confidence) / 2) / norm.ppf(0.975)
        return Interval(centre, centre - wide, centre + wide)

    return Estimate.from_function(at)


HIGH, ACROSS, LOW = estimate(0.3), estimate(0.1), estimate(-0.3)


@pytest.mark.parametrize(("given", "holds"), [*zip((HIGH, ACROSS, LOW), OUTCOMES, strict=True)])
def test_above(given, holds):
    verdict = judge(claims.above(given, what="the gain"))
    assert verdict.holds is holds
    assert verdict.reason.startswith(f"the gain is {given.estimate:+.3f} [{given.low:+.3f}, {given.high:+.3f}]")
    assert verdict.estimates == (given,)


@pytest.mark.parametrize(("given", "holds"), [*zip((LOW, ACROSS, HIGH), OUTCOMES, strict=True)])
def test_below(given, holds):
    assert judge(claims.below(given)).holds is holds


def test_a_bound_that_is_touched_is_not_passed():
    touching = Estimate.from_function(lambda _: Interval(0.0, 0.0, 0.0))
    assert judge(claims.above(touching)).holds is False
    assert judge(claims.below(touching)).holds is False


@pytest.mark.parametrize(
    ("given", "holds"),
    [
        (estimate(0.33, 0.03), True),
        (estimate(0.33, 0.13), None),
        (estimate(0.44, 0.02), None),
        (estimate(0.5, 0.02), False),
        (estimate(0.1, 0.05), False),
    ],
)
def test_within(given, holds):
    assert judge(claims.within(given, 0.23, 0.43, "it")).holds is holds


@pytest.mark.parametrize(
    ("given", "holds"),
    [
        (estimate(0.001, 0.003), True),
        (estimate(-0.1, 0.09), True),
        (estimate(0.01, 0.03), None),
        (estimate(0.002, 0.001), False),
    ],
)
def test_no_gain(given, holds):
    assert judge(claims.no_gain(given, 0.01)).holds is holds


def test_plateau():
    flat = [estimate(p, 0.02) for p in (0.31, 0.35, 0.33)]
    assert judge(*claims.plateau(flat, 0.23, 0.43, "it")).holds is True
    assert judge(*claims.plateau([*flat, estimate(0.9, 0.02)], 0.23, 0.43, "it")).holds is False
    assert judge(*claims.plateau([*flat, estimate(0.4, 0.1)], 0.23, 0.43, "it")).holds is None


def test_rising():
    def curve(*hits):
        return claims.rising([share(hit, 200) for hit in hits])

    assert judge(*curve(20, 60, 58, 150)).holds is True
    assert judge(*curve(20, 60, 10, 150)).holds is False
    assert judge(*curve(60, 62, 61)).holds is None


def test_matches_published():
    published = estimate(0.573, 0.049)
    assert judge(claims.matches_published(share(5700, 10_000), published, 0.1)).holds is True
    assert judge(claims.matches_published(share(6, 10), published, 0.1)).holds is None
    assert judge(claims.matches_published(share(9000, 10_000), published, 0.1)).holds is False


def test_exact_claims():
    right, wrong = "2 / 1998", "7 / 1993"
    assert claims.exactly([right] * 5, right).holds is True
    assert claims.exactly([right, wrong], right).holds is None
    assert claims.exactly([], right).holds is None
    found = claims.exactly([wrong] * 5, right)
    assert (found.holds, found.reason) == (False, "2 / 1998 in 0 of 5 trials, otherwise 7 / 1993")


def test_all_tests_of_a_claim_must_pass():
    yes, maybe, no = (claims.above(one) for one in (HIGH, ACROSS, estimate(-0.9)))
    assert judge(yes, yes).holds is True
    assert judge(yes, maybe, yes).holds is None
    assert judge(maybe, no, yes, no).holds is False
    assert judge(maybe, no, yes, no).reason.endswith("(and 1 more)")
    assert judge().holds is None


def test_a_claim_of_many_tests_is_refuted_less_easily():
    """One that is just outside refutes alone, but not as one of ten: some of ten are outside by chance."""
    outside = claims.above(estimate(-0.22))
    passing = [claims.above(HIGH)] * 9
    assert judge(outside).holds is False
    assert judge(outside, *passing).holds is None
    assert judge(claims.above(estimate(-0.35)), *passing).holds is False
    assert "99.5 % interval" in judge(claims.above(estimate(-0.35)), *passing).reason


def test_a_test_without_results_leaves_a_claim_open_unless_another_refutes_it():
    missing = claims.unmeasured("needs 2^16 simulations")
    assert judge(missing, claims.above(HIGH)).holds is None
    assert judge(missing, claims.above(HIGH)).reason == "needs 2^16 simulations"
    assert judge(missing, claims.above(LOW)).holds is False


@pytest.mark.parametrize("tests", [1, 8])
def test_verdicts_err_as_seldom_as_they_say(tests):
    """At the edge, where it is hardest: a false claim comes out, and a true one fails, in at most about 2.5 %."""
    rng = np.random.default_rng(5)
    wrong_yes = wrong_no = 0
    rounds = 2000
    for _ in range(rounds):
        edge, *others = (claims.above(estimate(value, 1.96)) for value in rng.normal(0.0, 1.0, tests))
        surely = [claims.above(estimate(50.0, 1.96))] * (tests - 1)
        wrong_yes += judge(edge, *surely).holds is True  # false: one of them is not above 0
        wrong_no += judge(edge, *others).holds is False  # true, if only just: none of them is below 0
    assert wrong_yes / rounds < 0.035
    assert 0.01 < wrong_no / rounds < 0.035


def test_holms_correction():
    """Of three with p values 0.01, 0.02 and 0.6: 0.03, 0.04 and 0.6; of 36 the same first two are open."""
    given = [estimate(norm.isf(p / 2) / 1.96, 1.0) for p in (0.01, 0.02, 0.6)]
    tests = [claims.above(one) for one in given]
    assert [one.holds for one in claims.judge_family(tests)] == [True, True, None]
    assert "p = 0.030" in claims.judge_family(tests)[0].reason
    many = [*tests, *[claims.above(estimate(0.0, 1.0))] * 33]
    assert [one.holds for one in claims.judge_family(many)[:2]] == [None, None]
    assert claims.judge_family([claims.below(given[0])])[0].holds is False
    assert claims.judge_family([claims.below(LOW)])[0].holds is True


def test_verdicts_that_were_corrected_are_put_together():
    yes, maybe, no = (Verdict(holds, str(holds), (HIGH,)) for holds in OUTCOMES)
    assert claims.all_hold([yes, yes]).holds is True
    assert claims.all_hold([yes, maybe]).holds is None
    assert claims.all_hold([maybe, no, yes]) == Verdict(False, "False", (HIGH,) * 3)


def test_claims_of_a_paper_and_of_ours():
    source = Source("Somebody 2000", "3.1", "it is so", "Figure 2")
    words = [Claim("it is", source, Verdict(holds, "")).status for holds in OUTCOMES]
    assert words == ["reproduced", "undecided", "not reproduced"]
    words = [Claim("it is", OURS, Verdict(holds, "")).status for holds in OUTCOMES]
    assert words == ["holds", "undecided", "does not hold"]
    failed = Claim("it is", source, Verdict(False, "it is not"), attempts="everything")
    assert failed.reason == "it is not. Tried: everything"
    assert failed.to_dict()["source"]["place"] == "Figure 2, section 3.1"
    assert Claim("it is", OURS, Verdict(True, "so"), attempts="everything").reason == "so"


def test_p_values_are_those_of_the_intervals():
    values = [0.3, 0.1, 0.5, 0.2]
    assert mean(values).p_value(0.0) == pytest.approx(ttest_1samp(values, 0.0).pvalue, rel=0.01)
    assert estimate(0.0).p_value(0.0) == 1.0
    assert NO_ESTIMATE.p_value(0.0) == 1.0
    assert estimate(9.0, 0.1).p_value(0.0) < 1e-11


def test_a_higher_confidence_is_wider():
    for one in (
        share(3, 10),
        share_difference(share(3, 10), share(9, 20)),
        mean([1, 2, 4]),
        mean_difference([1, 2], [3, 5]),
    ):
        narrow, wide = one.at(0.9), one.at(0.99)
        assert wide.low < one.low < narrow.low < one.estimate < narrow.high < one.high < wide.high


def test_a_difference_of_shares_is_newcombes():
    """R. G. Newcombe 1998, table II, method 10: 56/70 - 48/80 is 0.0524 to 0.3339; 10/10 - 0/10 is 0.6075 to 1."""
    found = share_difference(share(56, 70), share(48, 80))
    assert found == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    assert share_difference(share(10, 10), share(0, 10)) == pytest.approx((1.0, 0.6075, 1.0), abs=5e-5)


def test_a_difference_of_shares_covers():
    """Exactly, over all outcomes of 30 and 40 trials: 95 % intervals hold the truth in about 95 %."""
    p, q, n, m = 0.8, 0.5, 30, 40
    covered = 0.0
    for a in range(n + 1):
        for b in range(m + 1):
            interval = share_difference(share(a, n), share(b, m))
            if interval.low <= p - q <= interval.high:
                covered += binom.pmf(a, n, p) * binom.pmf(b, m, q)
    assert 0.94 < covered < 0.97


def test_means():
    values = [1.0, 2.0, 3.0, 4.0]
    assert mean(values) == pytest.approx((2.5, 2.5 - 2.0542, 2.5 + 2.0542), abs=1e-4)  # Student's 3.182 * 1.291 / 2
    centre, low, high = bands(np.array([values, values[::-1], values]).T)
    assert (centre[0], low[0], high[0]) == pytest.approx(mean(values))
    assert mean([0.5]).low == -math.inf
    assert judge(claims.above(mean([0.5]))).holds is None
    assert judge(claims.above(mean([0.5, 0.5], grain=0.6))).holds is None
    assert np.isnan(bands([values])[1]).all()


def test_a_difference_of_means_is_welchs():
    """As scipy has it."""
    a, b = [1.0, 2.0, 4.0, 7.0], [1.0, 1.5, 2.0]
    expected = ttest_ind(a, b, equal_var=False).confidence_interval(0.95)
    assert mean_difference(a, b)[1:] == pytest.approx((expected.low, expected.high))
    assert mean_difference([1.0], b).high == math.inf
    assert mean_difference([1.0, 1.0], [1.0, 1.0]) == (0.0, 0.0, 0.0)


def test_numbers_are_shown_with_their_intervals():
    assert format_interval(Interval(0.5, 0.25, 0.75), 2) == "0.50 [0.25, 0.75]"
    assert format_interval(Interval(0.5, 0.25, 0.75), 1, sign=True) == "+0.5 [+0.2, +0.8]"
    assert format_interval(Interval(0.5, -math.inf, math.inf)) == "0.500"
