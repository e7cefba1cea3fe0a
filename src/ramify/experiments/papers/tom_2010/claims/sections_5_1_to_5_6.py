"""Statements about searches without errors and with errors in all moves: sections 5.1 to 5.6.1."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from ramify.experiments.papers.tom_2010.claims.claim_tests import (
    EARLY,
    FAR,
    HALF,
    NOTICEABLE,
    about,
    better,
    converged,
    each,
    little_worse,
    no_better,
    not_converged,
    rises,
    same,
    worse,
)
from ramify.experiments.papers.tom_2010.claims.statement import Statement, maximum, ours
from ramify.experiments.papers.tom_2010.figures import (
    CONSTANTS,
    FINALS,
    GAMMAS,
    POLICIES,
    SIZES,
    WEIGHTED,
    with_false_updates,
)
from ramify.experiments.papers.tom_2010.settings import INDISCRIMINATE, RAVE, RAVE_MAX, RAVE_ONLY, UCT

ALL = INDISCRIMINATE
UPPER = (0.7, 0.8, 0.9, 1.0)


def plain() -> Iterator[Statement]:
    """Sections 5.1 to 5.5."""
    yield Statement(
        1,
        "figure-5.1-interval",
        "UCT's share at 2^7 is 0.5, within 0.1",
        about(UCT, HALF, 0.5),
    )
    sizes = {n: replace(UCT, n=n) for n in SIZES}
    yield Statement(
        2,
        "figure-5.2-up-to-10",
        "shares above 0.98 at 2^12 for n = 5 and 10",
        each(converged(sizes[5], 12), converged(sizes[10], 12)),
    )
    yield Statement(
        2,
        "figure-5.2-slower",
        "each size has a lower share than the one before at 2^10",
        each(*(better(sizes[a], sizes[b], 10) for a, b in pairwise(SIZES))),
    )
    yield Statement(
        2,
        "figure-5.2-above-20",
        "shares below 0.98 at 2^16 for n = 30, 40 and 50",
        each(*(not_converged(sizes[n], 16) for n in (30, 40, 50))),
    )
    yield from _rave()
    value, count = (POLICIES[f"UCT+RAVE, {word}"] for word in ("estimated value", "move count"))
    counted = POLICIES["UCT, move count"]
    yield Statement(
        4,
        "figure-5.4-about-the-same",
        "shares within 0.1 of each other at 2^8, for UCT and for UCT+RAVE",
        each(same(UCT, counted, 8), same(value, count, 8)),
    )
    yield Statement(
        4,
        "figure-5.4-few-simulations",
        f"higher share at 2^{EARLY}, for UCT and for UCT+RAVE",
        each(better(UCT, counted, EARLY), better(value, count, EARLY)),
    )
    for player, reading in ((RAVE, ""), (UCT, "RAVE off")):
        yield Statement(
            5,
            "figure-5.5-different-exploration",
            f"every c within 0.1 of c = 0.7 at 2^{HALF}",
            each(*(same(replace(player, c=c), player, HALF) for c in CONSTANTS if c != player.c)),
            reading=reading,
        )
    yield Statement(
        6,
        "figure-5.6-no-score",
        f"no gain of {NOTICEABLE} at 2^{HALF} with any gamma",
        each(*(no_better(replace(RAVE, gamma=gamma), RAVE, HALF) for gamma in GAMMAS)),
    )


def _rave() -> Iterator[Statement]:
    """Sections 5.1.2 and 5.3."""
    finals = {final: replace(RAVE, final=final) for final in FINALS}
    yield Statement(
        "5.1.2",
        "section-5.1.2-weighted-updates",
        "shares within 0.1 of each other at 2^6, 2^7 and 2^8",
        each(*(same(WEIGHTED, RAVE, k) for k in (6, 7, 8))),
    )
    yield Statement(
        3,
        "figure-5.3-even-2",
        f"gain over UCT at 2^{HALF}",
        better(finals[2], UCT, HALF),
    )
    yield Statement(
        3,
        "figure-5.3-higher",
        f"1024 above 2 at 2^{HALF}",
        better(finals[1024], finals[2], HALF),
    )
    yield Statement(
        3,
        "figure-5.3-diminishing-returns",
        "within 0.1 at 2^7, 2^8 and 2^9",
        each(*(same(finals[1024], finals[131072], k) for k in (7, 8, 9))),
    )
    yield Statement(
        3,
        "figure-5.3-larger-ones",
        "within 0.1 of 131072 at 2^7 and 2^8",
        each(*(same(RAVE, finals[131072], k) for k in (7, 8))),
    )
    yield Statement(
        3,
        "figure-5.3-only-outperforms",
        f"above each at 2^{HALF}",
        each(*(better(RAVE_ONLY, setting, HALF) for setting in finals.values())),
    )


def indiscriminate() -> Iterator[Statement]:
    """Section 5.6.1, and RAVE-max under the same errors."""
    rave = {mu: with_false_updates(ALL, mu) for mu in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, *UPPER)}
    yield Statement(
        7,
        "figure-5.7-decay-gradual",
        "up to 0.4 each step of 0.1 costs less than 0.2 at 2^9",
        each(*(little_worse(rave[b], rave[a], 9) for a, b in pairwise((0.0, 0.1, 0.2, 0.3, 0.4)))),
    )
    yield Statement(
        7,
        "figure-5.7-drop",
        "0.6 is more than 0.2 below 0.4 at 2^9",
        worse(rave[0.6], rave[0.4], 9, FAR),
    )
    yield Statement(
        7,
        "figure-5.7-outperforms-plain",
        f"higher shares at 2^{HALF}",
        each(*(better(rave[mu], UCT, HALF) for mu in (0.0, 0.1, 0.2, 0.3))),
    )
    yield Statement(
        7,
        "figure-5.7-mu-0.6",
        "a rise from 2^10 to 2^14",
        rises(rave[0.6], 10, 14),
    )
    yield Statement(
        7,
        "figure-5.7-from-0.7",
        "shares below 0.98 at 2^16",
        each(*(not_converged(rave[mu], 16) for mu in UPPER)),
    )
    yield from _only()
    yield ours(
        27,
        "with μ = 0.7 RAVE-max is more than 0.2 above RAVE at 2^12",
        better(with_false_updates(ALL, 0.7, RAVE_MAX), rave[0.7], 12, FAR),
    )
    yield Statement(
        28,
        "figure-5.28-loses-first",
        f"lower shares than RAVE's at 2^{EARLY}",
        maximum(ALL, (0.0, 0.1, 0.2, 0.3), EARLY, worse),
    )
    yield Statement(
        28,
        "figure-5.28-better",
        f"higher shares for μ from 0.5 on at 2^{HALF}",
        maximum(ALL, (0.5, 0.6, *UPPER), HALF, better),
    )
    yield Statement(
        28,
        "figure-5.28-weaker",
        "a lower share than RAVE's at 2^14",
        maximum(ALL, (0.6,), 14, worse),
    )


def _only() -> Iterator[Statement]:
    """RAVE only, under errors in all moves."""
    only = {mu: with_false_updates(ALL, mu, RAVE_ONLY) for mu in (0.3, 0.4, 0.5, 0.6, *UPPER)}
    rave = with_false_updates(ALL, 0.4)
    yield Statement(
        8,
        "figure-5.8-without-errors",
        f"above both at 2^{HALF}",
        each(better(RAVE_ONLY, UCT, HALF), better(RAVE_ONLY, RAVE, HALF)),
    )
    yield Statement(
        8,
        "figure-5.8-mu-0.3",
        "below UCT at 2^10, by less than 0.2",
        each(worse(only[0.3], UCT, 10), little_worse(only[0.3], UCT, 10)),
    )
    yield Statement(
        8,
        "figure-5.8-mu-0.4",
        "more than 0.2 below both at 2^10",
        each(worse(only[0.4], UCT, 10, FAR), worse(only[0.4], rave, 10, FAR)),
    )
    yield Statement(
        8,
        "figure-5.8-mu-0.5",
        "a share of 0.1, within 0.05, at 2^7, 2^10 and 2^14",
        each(*(about(only[0.5], k, 0.1, NOTICEABLE) for k in (7, 10, 14))),
    )
    yield Statement(
        8,
        "figure-5.8-beyond",
        "below μ = 0.5 at 2^10",
        each(*(worse(only[mu], only[0.5], 10) for mu in (0.6, *UPPER))),
    )
