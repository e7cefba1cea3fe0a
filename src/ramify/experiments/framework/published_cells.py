"""Published scores of one player against another: what a cell shows, and tests of that."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ramify.experiments.framework.claims import Test, above, below, equivalent
from ramify.experiments.framework.estimates import Estimate
from ramify.statistics.inference import Interval

BETTER, WORSE, ALIKE, UNCLEAR = "stronger", "weaker", "no clear difference", "unclear"
MARGIN = 0.05  # scores this close to 1/2 are equivalent to it, unless the published interval is narrower


def margin(printed: Estimate) -> float:
    """Return the margin of equivalence for a published cell."""
    return min(MARGIN, printed.high - printed.estimate)


def shows(printed: Estimate) -> str:
    """Return what a published interval shows of the first player.

    An interval that includes or touches 50 % shows no clear difference (ALIKE) if the published score itself is within
    the margin of 50 %. Otherwise, such as with 59 ± 9 %, it shows neither a difference nor that there is none: UNCLEAR.
    """
    if round(printed.low, 4) > 0.5:
        return BETTER
    if round(printed.high, 4) < 0.5:
        return WORSE
    return ALIKE if round(abs(printed.estimate - 0.5), 4) <= round(margin(printed), 4) else UNCLEAR


def cell_test(printed: Estimate, score: Estimate, rival: str = "without") -> tuple[Test, str]:
    """Return the test of what a published cell shows, and its wording for the first player.

    No clear difference is tested as equivalence. A cell that is UNCLEAR has no test.
    """
    shown = shows(printed)
    if shown == UNCLEAR:
        raise ValueError(f"{percent(printed)} % shows nothing to test")
    if shown == BETTER:
        return above(score, 0.5, "the score"), f"stronger than {rival}"
    if shown == WORSE:
        return below(score, 0.5, "the score"), f"weaker than {rival}"
    within = margin(printed)
    return equivalent(
        score, within, "the score"
    ), f"no clear difference, a score within {100 * within:g} points of 50 %"


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
