"""Our own exhibit: whether a slip of the paper's program explains its figure of the relative bonus in Breakthrough."""

from __future__ import annotations

from functools import partial

from ramify.experiments.figures.strips import Strip, strips
from ramify.experiments.framework.claims import OURS, Claim, above, judge, within
from ramify.experiments.framework.estimates import Estimate, format_interval, share_difference
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec
from ramify.experiments.framework.published_cells import percent
from ramify.experiments.papers.pepels_2014.cells import Cell, Scores

SAME = 0.04  # as published: at most this far from the published figure


def slip_exhibit(scores: Scores, cells: tuple[Cell, ...]) -> Exhibit:
    """Return the exhibit; ``cells`` are as printed and with the slip."""
    printed, slipped = (scores.found[cell] for cell in cells)
    cell, published = cells[0], cells[0].printed()
    difference = share_difference(printed, slipped)
    return Exhibit(
        "The slip",
        "how a wrong sign in the program affects the relative bonus in Breakthrough",
        [
            Claim(
                f"breakthrough with decisive playouts, the relative bonus at {cell.spent}: stronger than without,"
                " and stronger than with the slip",
                OURS,
                judge(
                    above(printed, 0.5, "the score as printed"),
                    above(difference, 0.0, "as printed minus with the slip"),
                ),
            ),
            Claim(
                f"with the slip the score is as published: within {SAME} of {percent(published)} %",
                OURS,
                judge(within(share_difference(slipped, published), -SAME, SAME, "measured minus published")),
            ),
        ],
        [
            DataTable(
                "Score of the relative bonus against no bonus in Breakthrough, decisive playouts, 95 % intervals",
                ["", "per move", "score"],
                [
                    ["as printed", cell.spent, format_interval(printed)],
                    ["with the slip", cell.spent, format_interval(slipped)],
                    ["difference", "", format_interval(difference, sign=True)],
                ],
            )
        ],
        [
            FigureSpec(
                "slip",
                "The relative bonus in Breakthrough as printed, with the slip, and as published",
                partial(_figure, printed, slipped, published),
            )
        ],
    )


def _figure(printed: Estimate, slipped: Estimate, published: Estimate) -> bytes:
    found = {"measured": {"as printed": printed, "with the slip": slipped}, "published": {"published": published}}
    return strips([Strip("The relative bonus in Breakthrough", found, "score against no bonus", 0.5)])
