"""Statements about RAVE-max against RAVE under errors in selected moves: section 5.6.2."""

from __future__ import annotations

from collections.abc import Iterator

from ramify.experiments.papers.tom_2010.claims.claim_tests import EARLY, HALF, better, each, same, worse
from ramify.experiments.papers.tom_2010.claims.sections_5_1_to_5_6 import UPPER
from ramify.experiments.papers.tom_2010.claims.statement import Statement, maximum
from ramify.experiments.papers.tom_2010.figures import with_false_updates
from ramify.experiments.papers.tom_2010.settings import (
    LOWER_BEST,
    LOWER_BEST_SHARED,
    RAISE_SECOND,
    RAISE_SECOND_SHARED,
    RAISE_WORST,
    RAISE_WORST_SHARED,
    RAVE_MAX,
    Errors,
)

FIRST_LOSSES = (0.1, 0.2, 0.3)  # with more errors both are near 0


def maxima() -> Iterator[Statement]:
    """RAVE-max against RAVE."""
    loss = f"lower shares than RAVE's at 2^{EARLY}"
    yield Statement(29, "figure-5.29-loses-first", loss, maximum(LOWER_BEST, (0.0,), EARLY, worse))
    yield Statement(
        29,
        "figure-5.29-improves",
        "higher shares at 2^10 for μ = 0.2, 0.4, 0.6, 0.8 and 1.0",
        maximum(LOWER_BEST, (0.2, 0.4, 0.6, 0.8, 1.0), 10, better),
    )
    yield Statement(
        30,
        "figure-5.30-loses-first",
        loss,
        maximum(LOWER_BEST_SHARED, (0.0, 0.1, 0.2), EARLY, worse),
    )
    yield Statement(
        30,
        "figure-5.30-improves",
        "higher shares at 2^10 for μ = 0.4, 0.6, 0.8 and 1.0",
        maximum(LOWER_BEST_SHARED, (0.4, 0.6, 0.8, 1.0), 10, better),
    )
    yield Statement(
        31,
        "figure-5.31-better",
        "higher shares at 2^10",
        maximum(RAISE_WORST, UPPER, 10, better),
    )
    yield Statement(
        31,
        "figure-5.31-weaker",
        f"lower shares at 2^{HALF}",
        maximum(RAISE_WORST, (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6), HALF, worse),
    )
    alike: dict[int, tuple[Errors, tuple[tuple[float, int], ...]]] = {
        32: (RAISE_WORST_SHARED, ((0.4, 7), (0.6, 7), (0.8, 7), (1.0, 9))),
        33: (RAISE_SECOND, ((0.1, 9), (0.2, 10), (0.3, 12))),
        34: (RAISE_SECOND_SHARED, ((0.2, 9), (0.3, 10), (0.4, 12), (0.5, 12))),
    }
    for figure, (errors, places) in alike.items():
        where = ", ".join(f"2^{k} with μ = {mu}" for mu, k in places)
        yield Statement(
            figure,
            f"figure-5.{figure}-like-rave",
            f"within 0.1, where shares are neither near 0 nor near 1: at {where}",
            each(
                *(same(with_false_updates(errors, mu, RAVE_MAX), with_false_updates(errors, mu), k) for mu, k in places)
            ),
        )
        yield Statement(
            figure,
            f"figure-5.{figure}-loses-first",
            f"{loss} for μ = 0.1, 0.2 and 0.3",
            maximum(errors, FIRST_LOSSES, EARLY, worse),
        )
