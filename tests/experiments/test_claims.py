"""Every verdict can be reached, by data made for it."""

import math

import numpy as np
import pytest
from scipy.stats import binom, ttest_ind

from ramify.arena.statistics.inference import Interval
from ramify.experiments import claims
from ramify.experiments.claims import NOT_REPRODUCED, REPRODUCED, UNDECIDED
from ramify.experiments.estimates import bands, mean, mean_difference, share, share_difference, shown

HIGH, ACROSS, LOW = Interval(0.3, 0.1, 0.5), Interval(0.1, -0.1, 0.3), Interval(-0.3, -0.5, -0.1)
STATUSES = (REPRODUCED, UNDECIDED, NOT_REPRODUCED)


@pytest.mark.parametrize(("interval", "status"), [*zip((HIGH, ACROSS, LOW), STATUSES, strict=True)])
def test_above(interval, status):
    verdict = claims.above(interval, what="the gain")
    assert verdict.status == status
    assert verdict.reason.startswith(
        f"the gain is {interval.estimate:+.3f} [{interval.low:+.3f}, {interval.high:+.3f}]"
    )


@pytest.mark.parametrize(("interval", "status"), [*zip((LOW, ACROSS, HIGH), STATUSES, strict=True)])
def test_below(interval, status):
    assert claims.below(interval).status == status


def test_a_bound_that_is_touched_is_not_passed():
    touching = Interval(0.0, 0.0, 0.0)
    assert claims.above(touching).status == NOT_REPRODUCED
    assert claims.below(touching).status == NOT_REPRODUCED


@pytest.mark.parametrize(
    ("interval", "status"),
    [
        (Interval(0.33, 0.30, 0.36), REPRODUCED),
        (Interval(0.33, 0.20, 0.46), UNDECIDED),
        (Interval(0.44, 0.42, 0.46), UNDECIDED),
        (Interval(0.5, 0.48, 0.52), NOT_REPRODUCED),
        (Interval(0.1, 0.05, 0.15), NOT_REPRODUCED),
    ],
)
def test_within(interval, status):
    assert claims.within(interval, 0.23, 0.43, "it").status == status


@pytest.mark.parametrize(
    ("interval", "status"),
    [
        (Interval(0.001, -0.002, 0.004), REPRODUCED),
        (Interval(-0.1, -0.2, -0.01), REPRODUCED),
        (Interval(0.01, -0.02, 0.04), UNDECIDED),
        (Interval(0.002, 0.001, 0.003), NOT_REPRODUCED),
    ],
)
def test_nothing(interval, status):
    assert claims.nothing(interval, 0.01).status == status


def test_plateau():
    flat = [Interval(p, p - 0.02, p + 0.02) for p in (0.31, 0.35, 0.33)]
    assert claims.plateau(flat, 0.23, 0.43, "it").status == REPRODUCED
    assert claims.plateau([*flat, Interval(0.9, 0.88, 0.92)], 0.23, 0.43, "it").status == NOT_REPRODUCED
    assert claims.plateau([*flat, Interval(0.4, 0.3, 0.5)], 0.23, 0.43, "it").status == UNDECIDED


def test_rising():
    def curve(*hits):
        return [share(hit, 200) for hit in hits]

    assert claims.rising(curve(20, 60, 58, 150)).status == REPRODUCED
    assert claims.rising(curve(20, 60, 10, 150)).status == NOT_REPRODUCED
    assert claims.rising(curve(60, 62, 61)).status == UNDECIDED


def test_agrees():
    published = Interval(0.573, 0.524, 0.622)
    assert claims.agrees(share(5700, 10_000), published, 0.1).status == REPRODUCED
    assert claims.agrees(share(6, 10), published, 0.1).status == UNDECIDED
    assert claims.agrees(share(9000, 10_000), published, 0.1).status == NOT_REPRODUCED


def test_exact_claims():
    assert claims.equal("2 / 1998", "2 / 1998").status == REPRODUCED
    wrong = claims.equal("7 / 1993", "2 / 1998")
    assert (wrong.status, wrong.reason) == (NOT_REPRODUCED, "measured 7 / 1993, published 2 / 1998")
    assert claims.holds(True, "so it is").status == REPRODUCED
    assert claims.holds(False, "so it is").status == NOT_REPRODUCED


def test_everything():
    yes, maybe, no = (claims.Verdict(status, status) for status in STATUSES)
    assert claims.everything([yes, yes]) == claims.Verdict(REPRODUCED, "reproduced")
    assert claims.everything([yes, maybe, yes]).status == UNDECIDED
    assert claims.everything([maybe, no, yes, no]) == claims.Verdict(NOT_REPRODUCED, "not reproduced (and 1 more)")
    assert claims.everything([]).status == UNDECIDED


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
    assert claims.above(mean([0.5])).status == UNDECIDED
    assert claims.above(mean([0.5, 0.5], grain=0.6)).status == UNDECIDED
    assert np.isnan(bands([values])[1]).all()


def test_a_difference_of_means_is_welchs():
    """As scipy has it."""
    a, b = [1.0, 2.0, 4.0, 7.0], [1.0, 1.5, 2.0]
    expected = ttest_ind(a, b, equal_var=False).confidence_interval(0.95)
    assert mean_difference(a, b)[1:] == pytest.approx((expected.low, expected.high))
    assert mean_difference([1.0], b).high == math.inf
    assert mean_difference([1.0, 1.0], [1.0, 1.0]) == (0.0, 0.0, 0.0)


def test_numbers_are_shown_with_their_intervals():
    assert shown(Interval(0.5, 0.25, 0.75), 2) == "0.50 [0.25, 0.75]"
    assert shown(Interval(0.5, 0.25, 0.75), 1, sign=True) == "+0.5 [+0.2, +0.8]"
    assert shown(Interval(0.5, -math.inf, math.inf)) == "0.500"
