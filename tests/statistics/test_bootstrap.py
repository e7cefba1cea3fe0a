"""The bootstrap covers as often as it says, and is honest about few values."""

import math

import numpy as np

from ramify.statistics.bootstrap import bootstrap_mean


def test_it_covers():
    """Wins, draws and losses of 80 games; 300 trials of 95 % cover between 91 and 98.5 %."""
    rng = np.random.default_rng(7)
    chances, payoffs = (0.45, 0.2, 0.35), (1.0, 0.0, -1.0)
    truth = 0.1
    hits = 0
    for _ in range(300):
        found = bootstrap_mean(rng.choice(payoffs, 80, p=chances))
        hits += found.low <= truth <= found.high
    assert 0.91 <= hits / 300 <= 0.985


def test_it_repeats_and_widens():
    values = [1.0, -1.0, 0.0, 1.0, 1.0]
    assert bootstrap_mean(values) == bootstrap_mean(values)
    assert bootstrap_mean(values, 0.99).low <= bootstrap_mean(values, 0.9).low


def test_few_values():
    assert math.isnan(bootstrap_mean([]).estimate)
    assert bootstrap_mean([1.0]).low == -math.inf
    assert bootstrap_mean([1.0, 1.0, 1.0]).low == 1.0
    assert bootstrap_mean([1.0, 1.0, 1.0], grain=0.5).low == 0.5
