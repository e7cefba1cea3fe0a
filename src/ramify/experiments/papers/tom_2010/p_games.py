"""UCT on P-game trees and on Sum of Switches: does it converge equally fast (section 5.2)?"""

from __future__ import annotations

import math
from functools import partial

from ramify.experiments.figures.curves import Curve, Panel, panels
from ramify.experiments.framework.claims import Claim, above, below, judge, unmeasured
from ramify.experiments.framework.estimates import Estimate, format_interval, share
from ramify.experiments.framework.experiment import Experiment, Point, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.framework.statements import statements
from ramify.experiments.papers.tom_2010.claims.claim_tests import ALWAYS
from ramify.experiments.papers.tom_2010.paper import PAPER
from ramify.experiments.papers.tom_2010.settings import UCT, point
from ramify.experiments.trials.position import powers
from ramify.experiments.trials.tree import TreeTrials

TREE_SIZES = ((2, 20), (8, 8))  # branching and depth: the largest of Kocsis and Szepesvari 2006
CONVERGED = 12  # SOS(10) is optimal by 2^12, as the thesis says
DOUBLINGS = 2  # similar: at most this many doublings sooner or later
SWITCHES = "SOS(10)"


def name(branching: int, depth: int) -> str:
    """Name of a tree size."""
    return f"P-game {branching}^{depth}"


def points(trials: int, last: int) -> list[Point]:
    """Return UCT on trees of both sizes and on SOS(10)."""
    trees = [
        Point(
            name(*size),
            TreeTrials(f"p_game(branching={size[0]}, depth={size[1]}, seed={{seed}})", UCT.agent, powers(1, last)),
            trials,
            chunk=5,
        )
        for size in TREE_SIZES
    ]
    return [*trees, point(UCT, trials, last)]


def findings(results: Results) -> Findings:
    last = results.sizes["last"]
    keys = {**{name(*size): name(*size) for size in TREE_SIZES}, SWITCHES: UCT.key}
    found = {
        label: [share(hits, results[key].trials) for hits in results[key].total("hits")] for label, key in keys.items()
    }
    early, late = CONVERGED - DOUBLINGS, CONVERGED + DOUBLINGS
    tests = []
    for size in TREE_SIZES:
        curve = found[name(*size)]
        if late > last:
            tests.append(unmeasured(f"needs 2^{late} simulations, and this scale ends at 2^{last}"))
            continue
        tests.append(below(curve[early - 1], ALWAYS, f"{name(*size)}: the share at 2^{early}"))
        tests.append(above(curve[late - 1], ALWAYS, f"{name(*size)}: the share at 2^{late}"))
    claim = Claim(
        f"shares on trees are below {ALWAYS} at 2^{early} and above it at 2^{late}: convergence within a factor of"
        f" {2**DOUBLINGS} of the 2^{CONVERGED} of SOS(10)",
        statements("tom_2010")["section-5.2-p-games"],
        judge(*tests),
    )
    exhibit = Exhibit(
        "Section 5.2",
        "how often UCT returns a best move on P-game trees and on SOS(10)",
        [claim],
        [_table(results, found, last)],
        [FigureSpec("shares", "UCT on P-game trees and SOS(10)", partial(_figure, found, last))],
        assumed_settings="which P-games are meant; the search is the thesis's, not that of Kocsis and Szepesvari",
    )
    leaves = ", ".join(f"{a}^{b} = {a**b:,}" for a, b in TREE_SIZES)
    return Findings(
        [exhibit],
        [
            (
                f"SOS(10) has 10! = {math.factorial(10):,} leaves, the trees {leaves}. The thesis compares its results"
                " with figures of L. Kocsis and C. Szepesvari (ECML 2006), which it does not print; here the thesis's"
                " UCT searches both. Trees in which all moves are equally good are left out: no move would be wrong."
            )
        ],
    )


def _table(results: Results, found: dict[str, list[Estimate]], last: int) -> DataTable:
    rows = []
    for size in TREE_SIZES:
        measured = results[name(*size)]
        rows.append(f"{measured.total('trees') / measured.trials:.1f}")
    exponents = [k for k in (3, 5, 7, 9, 10, 12, 14, 16) if k <= last]
    return DataTable(
        f"Share of best moves, 95 % intervals; trees drawn per tree with a choice: {', '.join(rows)}",
        ["", *(f"2^{k}" for k in exponents)],
        [[label, *(format_interval(curve[k - 1]) for k in exponents)] for label, curve in found.items()],
    )


def _figure(found: dict[str, list[Estimate]], last: int) -> bytes:
    curves = [Curve.from_intervals(label, powers(1, last), curve) for label, curve in found.items()]
    title = "UCT on P-game trees and on SOS(10)"
    return panels([Panel(title, curves, "simulations", "share of best moves", powers=True, limits=(-0.03, 1.03))])


EXPERIMENT = Experiment(
    id="p-games",
    paper=PAPER,
    part="section 5.2",
    shows="Whether UCT converges on P-game trees as fast as on Sum of Switches.",
    setup="{trials} trees of each size, one search each, and {trials} searches of SOS(10), examined at every power of"
    " two from 2^1 to 2^{last} simulations; " + UCT.agent + ".",
    scales={
        "smoke": Scale({"trials": 4, "last": 7}, 3),
        "quick": Scale({"trials": 400, "last": 14}, 60),
        "paper": Scale({"trials": 1000, "last": 16}, 300),
    },
    points=points,
    findings=findings,
)
