"""Prize boxes: how four policies spread their pulls over boxes that always pay the same (002, section 6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ramify.arena.statistics.inference import Interval
from ramify.experiments import published
from ramify.experiments.claims import Claim, above, below, equal, everything, holds
from ramify.experiments.curves import Curve, Panel, panels
from ramify.experiments.estimates import mean, shown
from ramify.experiments.experiment import Experiment, Measured, Point, Results, Scale
from ramify.experiments.findings import Drawing, Findings, Numbers
from ramify.experiments.prize_boxes.box_trials import (
    BOXES,
    HALVING,
    NAMES,
    READINGS,
    SCENARIOS,
    SQRT,
    SQRT_HALVING,
    UCB1,
    Constants,
    ThirtyBoxes,
    TwoBoxes,
)

PAPER = "Putrich and Meneguzzi, Monte Carlo Algorithms for Time-Constrained General Game Playing (2023)"
PULLS = 10_000
SHOWN = 20  # the paper's figure 2 leaves out the boxes of lowest prize


def points(draws: int, pulls: int) -> list[Point]:
    """Both readings of the constants; scenarios of one name have the same prizes."""
    return [
        *(Point(f"two/{reading.name}", TwoBoxes(reading), trials=5, stream="two") for reading in READINGS),
        *(
            Point(f"{scenario}/{reading.name}", ThirtyBoxes(prizes, reading, pulls), trials=draws, stream=scenario)
            for reading in READINGS
            for scenario, prizes in SCENARIOS.items()
        ),
    ]


def findings(results: Results) -> Findings:
    """Table 1 exactly; the orders that the text reads off figures 2 and 3, over many draws of prizes."""
    two = {reading.name: _always(results[f"two/{reading.name}"]) for reading in READINGS}
    printed = {row["policy"]: [int(row["box1"]), int(row["box2"])] for row in published.table("sh_table1")}
    tables = [
        Numbers(
            "Table 1: pulls of boxes that pay -1 and 1",
            ["policy", "constants", "measured", "published"],
            [
                *([UCB1, f"of the {name}", _pair(found[UCB1]), _pair(printed["ucb1"])] for name, found in two.items()),
                [HALVING, "none", _pair(two["program"][HALVING]), _pair(printed["sequential_halving"])],
            ],
            texts=2,
        )
    ]
    claims = [
        Claim(
            f"two boxes: UCB1 pulls them {_pair(printed['ucb1'])} times, with the constant of the {name}",
            "table 1",
            equal(_pair(found[UCB1]), _pair(printed["ucb1"])),
        )
        for name, found in two.items()
    ]
    claims.append(
        Claim(
            f"two boxes: sequential halving pulls them {_pair(printed['sequential_halving'])} times",
            "table 1",
            equal(_pair(two["program"][HALVING]), _pair(printed["sequential_halving"])),
        )
    )
    figures = []
    for reading in READINGS:
        low, high = (results[f"{scenario}/{reading.name}"] for scenario in SCENARIOS)
        tables += [_table(low, "low", reading), _table(high, "high", reading)]
        claims += _claims(low, high, reading)
        figures.append(_figure(low, high, reading))
    return Findings(
        tables,
        claims,
        figures,
        [
            (
                "The paper shows one draw of prizes as pictures; here its statements are tested over many draws, with"
                " intervals over draws. 'Mixed boxes' is the exponential of the entropy of the shares of pulls: so many"
                " boxes, pulled equally, would be as mixed."
            ),
            (
                "Constants of the print: 2 C sqrt(2 ln N / n) with C = 1/sqrt 2, and log2 K rounds of halving. Of the"
                " program behind the results: 0.7 sqrt(2 ln N / n), and ceil(ln(K / ln 2)) rounds."
            ),
        ],
    )


def _always(measured: Measured) -> dict[str, list[int]]:
    """Pulls of a trial, which no trial may differ in."""
    rows = {name: np.unique(measured.each(name), axis=0) for name in (UCB1, HALVING)}
    return {name: found[0].astype(int).tolist() for name, found in rows.items() if len(found) == 1}


def _pair(pulls: list[int]) -> str:
    return " / ".join(str(number) for number in pulls)


def _difference(measured: Measured, name: str, a: str, b: str) -> Interval:
    """How much more one policy has than the other, on the same prizes."""
    return mean(measured.each(a, name) - measured.each(b, name))


def _claims(low: Measured, high: Measured, reading: Constants) -> list[Claim]:
    def more(measured: Measured, name: str, a: str, b: str, what: str) -> Any:
        return above(_difference(measured, name, a, b), 0.0, f"{a} minus {b}, {what},")

    mixed, of_best = "mixed boxes", "share of the best box"
    halving = (HALVING, SQRT_HALVING)
    low_shape, high_shape = (np.sort(one.each(HALVING, "pulls"), axis=1) for one in (low, high))
    shapes = len(np.unique(np.vstack([low_shape, high_shape]), axis=0))
    said = [
        (
            "low variance: ucb_sqrt spreads its pulls most, followed by UCB1",
            everything(
                [
                    more(low, "boxes", SQRT, UCB1, mixed),
                    *(more(low, "boxes", UCB1, name, mixed) for name in halving),
                ]
            ),
        ),
        (
            "low variance: elimination leads to fewer boxes of higher reward",
            everything(
                [
                    *(
                        below(_difference(low, "boxes", name, UCB1), 0.0, f"{name} minus ucb1, {mixed},")
                        for name in halving
                    ),
                    *(more(low, "reward", name, UCB1, "mean reward") for name in halving),
                ]
            ),
        ),
        (
            "high variance: UCB1 and uct_sqrt_sh prefer the best box markedly",
            everything(
                [more(high, "best", name, other, of_best) for name in (UCB1, SQRT_HALVING) for other in (SQRT, HALVING)]
            ),
        ),
        (
            "high variance: uct_sqrt_sh is more even among the other boxes than UCB1",
            everything([more(high, "others", SQRT_HALVING, UCB1, "mixed boxes without the best")]),
        ),
        (
            "sequential halving has one allocation whatever the rewards",
            holds(
                shapes == 1,
                f"{shapes} in all of {len(low_shape) + len(high_shape)} draws, apart from the order of boxes",
            ),
        ),
    ]
    return [
        Claim(f"{sentence} (constants of the {reading.name})", "section 6.1", verdict) for sentence, verdict in said
    ]


def _table(measured: Measured, scenario: str, reading: Constants) -> Numbers:
    rows = [
        [
            name,
            shown(mean(measured.each(name, "boxes")), 2),
            shown(mean(measured.each(name, "best"))),
            shown(mean(measured.each(name, "others")), 2),
            shown(mean(measured.each(name, "reward"))),
        ]
        for name in NAMES
    ]
    return Numbers(
        f"Thirty boxes, {scenario} variance, constants of the {reading.name}",
        ["policy", "mixed boxes", "share of the best", "mixed boxes without the best", "mean reward"],
        rows,
    )


def _figure(low: Measured, high: Measured, reading: Constants) -> Drawing:
    def draw() -> bytes:
        given = []
        for measured, title, first in ((low, "low variance", BOXES - SHOWN), (high, "high variance", 0)):
            boxes = np.arange(first + 1, BOXES + 1)
            curves = [
                Curve(name, boxes, (np.array(measured.total(name, "pulls")) / measured.trials)[first:])
                for name in NAMES
            ]
            given.append(Panel(title, curves, "box, by its prize", "pulls, mean of all draws", marked=True))
        return panels(given)

    return Drawing(
        f"{reading.name}",
        f"Figures 2 and 3: pulls of each box under low and high variance, constants of the {reading.name}",
        draw,
    )


EXPERIMENT = Experiment(
    id="boxes",
    paper=PAPER,
    part="figures 2 and 3, table 1",
    shows="How UCB1, sequential halving, ucb_sqrt and uct_sqrt_sh spread their pulls over boxes of fixed prizes.",
    setup="30 boxes, {pulls} pulls, prizes from N(0.3, 0.05) within [-0.5, 0.5] and from N(0.3, 0.5) within [-1, 1],"
    " {draws} draws of each; 2 boxes of -1 and 1, 2000 pulls.",
    scales={
        "smoke": Scale({"draws": 4, "pulls": 2000}, 3),
        "quick": Scale({"draws": 100, "pulls": PULLS}, 120),
        "paper": Scale({"draws": 1000, "pulls": PULLS}, 1200),
    },
    points=points,
    findings=findings,
)
