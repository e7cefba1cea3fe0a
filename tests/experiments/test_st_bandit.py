"""The relative gain of the st-bandit experiment: a ratio of means over the same bandits."""

import math

import numpy as np
import pytest

from ramify.experiments.estimates import mean
from ramify.experiments.path_bandits.gains import Gains
from ramify.experiments.ratios import ratio


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
