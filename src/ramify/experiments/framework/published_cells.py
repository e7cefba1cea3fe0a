"""Published scores of one player against another: what a cell shows, and tests of that."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ramify.experiments.framework.claims import Test, above, below, within
from ramify.experiments.framework.estimates import Estimate
from ramify.statistics.inference import Interval

BETTER, WORSE, ALIKE = "stronger", "weaker", "no clear difference"


def shows(printed: Estimate) -> str:
    """Return which player a published interval shows to be stronger; ALIKE if it includes or touches 50 %."""
    if round(printed.low, 4) > 0.5:
        return BETTER
    return WORSE if round(printed.high, 4) < 0.5 else ALIKE


def cell_test(printed: Estimate, score: Estimate) -> tuple[Test, str]:
    """Return the test of what a published cell shows, and its wording for the first player.

    No clear difference is tested as a score whose distance from 1/2 is at most the published half-width.
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
    """Format a published figure as it is printed."""
    return f"{100 * printed.estimate:.1f} ± {100 * (printed.high - printed.estimate):.1f}"


def mean_of(scores: Sequence[Estimate]) -> Estimate:
    """Mean of independent estimates; distances to the interval ends are added as squares."""
    count = len(scores)

    def at(confidence: float) -> Interval:
        intervals = [score.at(confidence) for score in scores]
        centre = sum(one.estimate for one in intervals) / count
        down = math.hypot(*(one.estimate - one.low for one in intervals)) / count
        up = math.hypot(*(one.high - one.estimate for one in intervals)) / count
        return Interval(centre, centre - down, centre + up)

    return Estimate.from_function(at)
