"""UCT and RAVE on Sum of Switches: the figures of chapter 5 of Tom 2010, one by one and all together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ramify.experiments.experiment import Experiment, Point, Results, Scale
from ramify.experiments.findings import Drawing, Findings
from ramify.experiments.switches.figures import FIGURES
from ramify.experiments.switches.settings import point, speed_point
from ramify.experiments.switches.statements import SPEEDS, STATEMENTS
from ramify.experiments.switches.view import View

PAPER = "Tom, Investigating UCT and RAVE: Steps Towards a More Robust Method (2010)"
PLAYER = (
    "SOS(10) unless another size is named, from the start; {trials} searches of each setting, looked at after every"
    " power of two from 2^1 to 2^{last} simulations. The player is that of the thesis: c = 0.7, c sqrt(ln N / (n + 1)),"
    " RaveWeightFinal 32768, nodes expanded at their second visit, the move of highest estimate returned."
)
SIZES = {"smoke": (4, 7), "quick": (300, 14), "paper": (1000, 16)}
A_POINT = {"smoke": 0.03, "quick": 4.0, "paper": 55.0}  # seconds of a point on two cores


def points(numbers: Sequence[int], trials: int, last: int) -> list[Point]:
    """The settings of some figures, each once."""
    shown = [one for number in numbers for one in FIGURES[number].settings]
    claimed = [one for statement in STATEMENTS if statement.figure in numbers for one in statement.settings]
    settings = {one.key: one for one in (*shown, *claimed)}
    speeds = [speed_point(n, trials) for n in SPEEDS] if 2 in numbers else []
    return [*(point(one, trials, last) for one in settings.values()), *speeds]


def findings(numbers: Sequence[int], results: Results) -> Findings:
    """Tables, pictures and verdicts of some figures."""
    view = View(results)
    graphs = [FIGURES[number] for number in numbers]
    return Findings(
        tables=[graph.table(view) for graph in graphs],
        claims=[one.claim(view) for one in STATEMENTS if one.figure in numbers],
        figures=[
            Drawing(f"{graph.number:02d}", f"{graph.name}: {graph.words}", partial(graph.draw, view))
            for graph in graphs
        ],
        notes=[
            "The thesis prints curves and no numbers; where a claim has one, it was read off the figure or the text."
        ],
    )


def experiment(name: str, part: str, shows: str, numbers: Sequence[int]) -> Experiment:
    """The experiment about some figures."""
    count = len(points(numbers, 1, 1))
    return Experiment(
        id=name,
        paper=PAPER,
        part=part,
        shows=shows,
        setup=PLAYER,
        scales={
            scale: Scale({"trials": trials, "last": last}, max(1.0, count * A_POINT[scale]))
            for scale, (trials, last) in SIZES.items()
        },
        points=lambda trials, last: points(numbers, trials, last),
        findings=lambda results: findings(numbers, results),
    )


EXPERIMENTS = [
    experiment("sos", "figures 5.1 to 5.34", "All figures of the study of UCT and RAVE.", list(FIGURES)),
    *(
        experiment(f"sos-5.{number}", f"figure 5.{number}", f"{graph.words[0].upper()}{graph.words[1:]}.", [number])
        for number, graph in FIGURES.items()
    ),
]
