"""Scores beside published ones, of two players at some game: what a published cell shows, and tests of that."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ramify.experiments.framework.claims import Test, above, below, within
from ramify.experiments.framework.estimates import Estimate
from ramify.statistics.inference import Interval

BETTER, WORSE, ALIKE = "stronger", "weaker", "no clear difference"


def shows(printed: Estimate) -> str:
    """Who a published interval says is stronger; one that includes or touches 50 % shows no clear difference."""
    if round(printed.low, 4) > 0.5:
        return BETTER
    return WORSE if round(printed.high, 4) < 0.5 else ALIKE


def cell_test(printed: Estimate, score: Estimate) -> tuple[Test, str]:
    """The test of what a published cell shows, and how to say it of the first player.

    No clear difference is tested as a score that is no farther from 1/2 than the published interval is wide to each
    side.
    """
    shown = shows(printed)
    if shown == BETTER:
        return above(score, 0.5, "the score"), "stronger than without"
    if shown == WORSE:
        return below(score, 0.5, "the score"), "weaker than without"
    half = printed.high - printed.estimate
    test = within(score, 0.5 - half, 0.5 + half, "the score")
    return test, f"no clear difference, a score from {0.5 - half:.3f} to {0.5 + half:.3f}"


def percent(printed: Estimate) -> str:
    """A published figure as it is printed."""
    return f"{100 * printed.estimate:.1f} ± {100 * (printed.high - printed.estimate):.1f}"


def mean_of(scores: Sequence[Estimate]) -> Estimate:
    """The mean of independent estimates, the ends of whose intervals are added as squares."""
    count = len(scores)

    def at(confidence: float) -> Interval:
        given = [score.at(confidence) for score in scores]
        centre = sum(one.estimate for one in given) / count
        down = math.hypot(*(one.estimate - one.low for one in given)) / count
        up = math.hypot(*(one.high - one.estimate for one in given)) / count
        return Interval(centre, centre - down, centre + up)

    return Estimate.from_function(at)
