"""The st-bandit experiment: the relative gain, a ratio of means over the same bandits; and the other readings."""

import math

import numpy as np
import pytest

from ramify.experiments.framework.estimates import mean
from ramify.experiments.framework.ratios import ratio
from ramify.experiments.framework.registry import experiments
from ramify.experiments.papers.gudmundsson_2013.gains import Gains
from ramify.experiments.papers.gudmundsson_2013.path_trials import OtherReading, PathBandits, key
from ramify.experiments.papers.gudmundsson_2013.readings import READINGS, reading_table
from tests.experiments.papers.made_up import results


def test_a_ratio_of_constants_is_exact_and_of_equal_shares_has_no_width():
    assert ratio([0.2, 0.2], [0.4, 0.4]) == (0.5, 0.5, 0.5)
    assert ratio([0.1, 0.3], [0.2, 0.6]) == pytest.approx((0.5, 0.5, 0.5))


def test_with_a_constant_below_it_is_the_mean_in_other_units():
    values = [0.1, 0.4, 0.2, 0.7]
    assert ratio(values, [0.5] * 4) == pytest.approx([2 * end for end in mean(values)])


def test_a_ratio_needs_something_below():
    assert ratio([0.1, 0.2], [0.0, 0.0]).high == math.inf
    assert math.isnan(ratio([], []).estimate)


def test_the_interval_holds_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(400):
        below = rng.uniform(0.2, 0.6, 50)
        found = ratio(0.1 * below + rng.normal(0.0, 0.03, 50), below)
        held += found.low <= 0.1 <= found.high
    assert 360 <= held <= 397


def test_relative_gains_are_over_uct():
    uct = np.array([[0.2, 0.4], [0.4, 0.8]])
    gains = Gains((50, 0.1), np.array([10.0, 20.0]), uct, 0.25 * uct, grain=0.0)
    assert gains.relative(20) == pytest.approx((0.25, 0.25, 0.25))


def test_other_readings_are_points_beside_ours():
    points = experiments()["st-bandit"].points_of("quick")
    ours, others = points[:4], points[4:]
    assert {point.key: repr(point.work) for point in ours} == {
        key(arms, winners): f"PathBandits(arms={arms}, winners={winners}, tasks=200, every=10)"
        for arms in (20, 50)
        for winners in (0.1, 0.3)
    }
    assert [point.stream for point in ours] == [None] * 4
    assert len(others) == 4 * len(READINGS)
    assert {point.stream for point in others} == {point.key for point in ours}  # so they meet the same bandits


def test_a_reading_without_switches_is_ours():
    sizes = (8, 0.25, 20, 50)
    ours = PathBandits(*sizes).run(5, 0, 2)
    assert OtherReading(*sizes).run(5, 0, 2) == ours
    for switches in READINGS.values():
        assert OtherReading(*sizes, **switches).run(5, 0, 2) != ours


def test_luck_of_their_own_on_the_same_bandits():
    own, same = OtherReading(8, 0.25, 3, 500, independent=True), PathBandits(8, 0.25, 3, 500)
    assert (own.bandit(7).parameters == same.bandit(7).parameters).all()
    assert own.task_seed(5, 1, "uct") != own.task_seed(5, 1, "st")
    assert same.task_seed(5, 1, "uct") == same.task_seed(5, 1, "st")


def test_two_groups_have_the_wider_interval():
    """Bandits differ much more than the policies do on one of them."""

    def sums(point, chunk):
        uct = point.work.tasks * (0.3 + 0.01 * chunk)
        return {"uct": [uct] * 300, "st": [uct + point.work.tasks * (0.02 + 0.001 * (-1) ** chunk)] * 300}

    table = reading_table(results("st-bandit", sums), (50, 0.1), 1000)
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["independent, by bandit"][0] == "+0.020 [+0.020, +0.020]"
    assert rows["independent, two groups"] == ["+0.020 [-0.038, +0.078]", "+0.0200 [-0.0379, +0.0779]"]
    assert max(len(line) for line in table.lines()) <= 76  # and four to indent it
