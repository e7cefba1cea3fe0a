"""Statements about errors in selected moves: section 5.6.2, and 5.3.1 on RAVE only under them."""

from __future__ import annotations

from collections.abc import Iterator

from ramify.experiments.papers.tom_2010.claims.claim_tests import (
    ALONE,
    FAR,
    HALF,
    NOTICEABLE,
    ahead,
    behind,
    better,
    close,
    converged,
    each,
    falls_below,
    not_converged,
    rises,
    spent_more,
    spent_on,
    spent_rather,
    worse,
)
from ramify.experiments.papers.tom_2010.claims.sections_5_1_to_5_6 import UPPER
from ramify.experiments.papers.tom_2010.claims.statement import Statement, at_mus, ours
from ramify.experiments.papers.tom_2010.figures import EXAGGERATED, with_false_updates
from ramify.experiments.papers.tom_2010.settings import (
    INDISCRIMINATE,
    LOWER_BEST,
    LOWER_BEST_SHARED,
    RAISE_SECOND,
    RAISE_SECOND_SHARED,
    RAISE_WORST,
    RAISE_WORST_SHARED,
    RAVE,
    RAVE_ONLY,
    READINGS,
    read_as,
)

ALL = INDISCRIMINATE
DRASTIC = 0.5
LOWERED, LOWERED_SHARED = with_false_updates(LOWER_BEST, 0.2), with_false_updates(LOWER_BEST_SHARED, 0.6)
WORST, WORST_SHARED = with_false_updates(RAISE_WORST, 1.0), with_false_updates(RAISE_WORST_SHARED, 1.0)
SECOND, SECOND_SHARED = with_false_updates(RAISE_SECOND, 1.0), with_false_updates(RAISE_SECOND_SHARED, 1.0)


def exaggerated() -> Iterator[Statement]:
    """Section 5.3.1."""
    yield Statement(
        "5.3.1",
        "section-5.3.1-problems-over",
        "RAVE only is below UCT+RAVE at 2^10 under each model, with a μ at which UCT+RAVE's share is intermediate",
        each(
            *(
                worse(with_false_updates(errors, mu, RAVE_ONLY), with_false_updates(errors, mu), 10)
                for errors, mu in EXAGGERATED.items()
            )
        ),
    )


def lowered() -> Iterator[Statement]:
    """The best move is underestimated."""
    yield Statement(
        9,
        "figure-5.9-every-mu",
        "lower shares at 2^9 for μ from 0.1 to 0.6; for larger μ both are near 0",
        at_mus(LOWER_BEST, ALL, (0.1, 0.2, 0.3, 0.4, 0.5, 0.6), 9, worse),
    )
    for reading in ("", *READINGS):
        yield from _recovery(reading)
    yield Statement(
        10,
        "figure-5.10-9-estimated",
        "below move 8 from 2^8 to 2^12, above at 2^14",
        each(behind(LOWERED, 9, 8, range(8, 13)), ahead(LOWERED, 9, 8, (14,))),
    )
    yield Statement(
        11,
        "figure-5.11-passes",
        "fewer at 2^12, more at 2^14",
        each(behind(LOWERED, 9, 8, (12,), "visits"), ahead(LOWERED, 9, 8, (14,), "visits")),
    )
    for reading in ("", *READINGS):
        yield from _lowered_shared(reading)
    yield Statement(
        13,
        "figure-5.13-estimate-9",
        "below move 8 at 2^10, above moves 5 to 8 at 2^16",
        each(behind(LOWERED_SHARED, 9, 8, (10,)), *(ahead(LOWERED_SHARED, 9, k, (16,)) for k in (5, 6, 7, 8))),
    )
    yield Statement(
        14,
        "figure-5.14-exclusively",
        "more than 0.9 of the simulations from 2^15 to 2^16",
        spent_on(LOWERED_SHARED, 9, 16, ALONE),
    )


def _recovery(reading: str) -> Iterator[Statement]:
    """Figure 5.9 at μ = 0.2."""
    setting = with_false_updates(read_as(LOWER_BEST, reading), 0.2)
    yield Statement(
        9,
        "figure-5.9-mu-0.2",
        "a lower share than RAVE's at 2^9, below 0.98 at 2^12, above at 2^14",
        each(worse(setting, RAVE, 9), not_converged(setting, 12), converged(setting, 14)),
        reading=reading,
    )
    yield Statement(
        9,
        "figure-5.9-recovery",
        "a rise of more than 0.5 from 2^12 to 2^14",
        rises(setting, 12, 14, DRASTIC),
        reading=reading,
    )


def _lowered_shared(reading: str) -> Iterator[Statement]:
    """Figure 5.12."""
    shared, alone = read_as(LOWER_BEST_SHARED, reading), read_as(LOWER_BEST, reading)
    middle = with_false_updates(shared, 0.6)
    yield Statement(
        12,
        "figure-5.12-costs-less",
        "higher shares at 2^10 for μ from 0.1 to 0.5",
        at_mus(shared, alone, (0.1, 0.2, 0.3, 0.4, 0.5), 10, better),
        reading=reading,
    )
    yield Statement(
        12,
        "figure-5.12-sudden-rebound",
        "with μ = 0.6 a rise of more than 0.5 from 2^12 to 2^14",
        rises(middle, 12, 14, DRASTIC),
        reading=reading,
    )
    yield Statement(12, "figure-5.12-mu-0.6", "a share above 0.98 at 2^16", converged(middle, 16), reading=reading)
    tried = "RaveWeightFinal 16384, 65536 and 131072, 20 searches each: play is optimal with μ = 0.7 from 2^15 on"
    yield Statement(
        12,
        "figure-5.12-higher-mu",
        "shares below 0.98 at 2^16",
        each(*(not_converged(with_false_updates(shared, mu), 16) for mu in UPPER)),
        attempts="" if reading else tried,
        reading=reading,
    )


def raised() -> Iterator[Statement]:
    """Weak moves are overestimated, one at a time."""
    yield Statement(
        15,
        "figure-5.15-raising-worst",
        f"higher shares at 2^{HALF} for μ = 0.2, 0.4, 0.6 and 0.8; with 1.0 both are near 0",
        at_mus(RAISE_WORST, ALL, (0.2, 0.4, 0.6, 0.8), HALF, better),
    )
    yield Statement(
        16,
        "figure-5.16-estimate-9",
        "at 2^5, 2^8, 2^11, 2^14 and 2^16",
        each(*(ahead(WORST, 9, other, (5, 8, 11, 14, 16)) for other in range(1, 9))),
    )
    yield Statement(
        17,
        "figure-5.17-drops",
        "below 0.37 at 2^16, and move 9's share of the last doubling more than twice that of the doubling to 2^14",
        each(falls_below(WORST, 0, 0.37, 16), spent_more(WORST, 9, 14, 16)),
        attempts="c = 0, and RaveWeightFinal 4096 to 16384, 20 searches each: with less weight on RAVE it turns sooner",
    )
    yield Statement(
        18,
        "figure-5.18-sooner",
        "higher shares at 2^14 for μ = 0.4, 0.6, 0.8 and 1.0",
        at_mus(RAISE_SECOND, LOWER_BEST, (0.4, 0.6, 0.8, 1.0), 14, better),
    )
    yield Statement(
        19,
        "figure-5.19-estimate-9",
        "above moves 0 to 7 at 2^5, 2^8, 2^11, 2^14 and 2^16",
        each(*(ahead(SECOND, 9, other, (5, 8, 11, 14, 16)) for other in range(8))),
    )
    for reading in ("", *READINGS):
        second = with_false_updates(read_as(RAISE_SECOND, reading), 1.0)
        yield Statement(
            20,
            "figure-5.20-refuted",
            "a rise of more than 0.5 from 2^12 to 2^14, and more simulations of move 9 than of 8 in the doubling to"
            " 2^15",
            each(rises(second, 12, 14, DRASTIC), spent_rather(second, 9, 8, 15)),
            reading=reading,
        )


def raised_shared() -> Iterator[Statement]:
    """Weak moves are overestimated, with false updates shared with the player's other moves."""
    yield Statement(
        22,
        "figure-5.22-roles-reversed",
        "move 9 below move 0 at 2^5, 2^6, 2^7 and 2^8, above at 2^10",
        each(behind(WORST_SHARED, 9, 0, (5, 6, 7, 8)), ahead(WORST_SHARED, 9, 0, (10,))),
    )
    yield Statement(
        22,
        "figure-5.22-within-0.01",
        "within 0.02 at every power of two from 2^4 to 2^16",
        close(WORST_SHARED, 9, 0, range(4, 17), 0.02),
        attempts="c = 0 and 1.4, RaveWeightFinal 1024, first-play urgency 1, nodes expanded at once, 3000 searches"
        " each: at 2^4 they are 0.011 to 0.019 apart",
    )
    yield ours(23, "at 2^16, the end, move 9 is simulated more than move 0", ahead(WORST_SHARED, 9, 0, (16,), "visits"))
    for reading in ("", *READINGS):
        yield from _second_raised_shared(reading)
    yield Statement(
        25,
        "figure-5.25-considerable-gap",
        "more than 0.05 at 2^5, 2^8 and 2^10",
        ahead(SECOND_SHARED, 8, 9, (5, 8, 10), by=NOTICEABLE),
    )
    yield Statement(
        26,
        "figure-5.26-7-simulated",
        "more than move 9 at 2^13 and 2^14, less at 2^16",
        each(ahead(SECOND_SHARED, 7, 9, (13, 14), "visits"), behind(SECOND_SHARED, 7, 9, (16,), "visits")),
    )


def _second_raised_shared(reading: str) -> Iterator[Statement]:
    """Figure 5.24."""
    second, worst = read_as(RAISE_SECOND_SHARED, reading), read_as(RAISE_WORST_SHARED, reading)
    always = with_false_updates(second, 1.0)
    yield Statement(
        24,
        "figure-5.24-delays",
        "a share below 0.98 at 2^15 and above at 2^16 (μ = 1.0)",
        each(not_converged(always, 15), converged(always, 16)),
        reading=reading,
    )
    yield Statement(
        24,
        "figure-5.24-more-detrimental",
        "more than 0.2 lower at 2^10 for μ = 0.4, 0.6, 0.8 and 1.0",
        each(
            *(
                worse(with_false_updates(second, mu), with_false_updates(worst, mu), 10, FAR)
                for mu in (0.4, 0.6, 0.8, 1.0)
            )
        ),
        reading=reading,
    )
