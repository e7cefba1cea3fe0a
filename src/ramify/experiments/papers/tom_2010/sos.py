"""UCT and RAVE on Sum of Switches: the figures of chapter 5 of Tom 2010, one by one and all together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ramify.experiments.framework.experiment import Experiment, Point, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.papers.tom_2010.claims.statements import SPEEDS, STATEMENTS
from ramify.experiments.papers.tom_2010.figures import FIGURES, graphs
from ramify.experiments.papers.tom_2010.graphs import Place
from ramify.experiments.papers.tom_2010.paper import PAPER
from ramify.experiments.papers.tom_2010.settings import point, speed_point
from ramify.experiments.papers.tom_2010.view import ResultView

PLAYER = (
    "SOS(10) unless another size is named, from the initial position; {trials} searches per setting, examined at every"
    " power of two from 2^1 to 2^{last} simulations. The player is the thesis's: c = 0.7, c sqrt(ln N / (n + 1)),"
    " RaveWeightFinal 32768, nodes expanded at their second visit, the move of highest estimate returned."
)
SIZES = {"smoke": (4, 7), "quick": (240, 14), "paper": (1000, 16)}
SECONDS_PER_POINT = {"smoke": 0.03, "quick": 3.2, "paper": 55.0}  # on two cores


def points(places: Sequence[Place], trials: int, last: int) -> list[Point]:
    """Return the settings of some figures, each once."""
    drawn = [one for place in places for graph in graphs(place) for one in graph.settings]
    claimed = [one for statement in STATEMENTS if statement.place in places for one in statement.settings]
    settings = {one.key: one for one in (*drawn, *claimed)}
    speeds = [speed_point(n, trials) for n in SPEEDS] if 2 in places else []
    return [*(point(one, trials, last) for one in settings.values()), *speeds]


def findings(places: Sequence[Place], results: Results) -> Findings:
    """Return tables, pictures and verdicts of some figures."""
    view = ResultView(results)
    exhibits = []
    for place in places:
        graph = FIGURES[place]
        exhibits.append(
            Exhibit(
                graph.name,
                graph.title.partition(": ")[2],
                claims=[one.claim(view) for one in STATEMENTS if one.place == place],
                tables=[*(one.table(view) for one in graphs(place)), *([_speeds(view)] if place == 2 else [])],
                figures=[FigureSpec(one.file, one.title, partial(one.draw, view)) for one in graphs(place)],
                assumed_settings=graph.assumed,
            )
        )
    return Findings(
        exhibits,
        [
            (
                "The thesis prints curves and few numbers, so what its text says about them is tested. Bounds for its"
                " words (far: more than 0.2; about the same: at most 0.1; optimal: a share above 0.98) are our reading,"
                " and so is the number of simulations where the text names none. They were chosen with earlier runs in"
                " view, of 300 searches per setting and up to 2^14 simulations, which are part of the searches here."
                " 'Much more' in figure 5.17 means more than twice as much; by our first reading, 0.2 more, 20 searches"
                " contradicted it."
            ),
            (
                "Shares have Wilson's intervals and their differences Newcombe's; quantities of single root moves have"
                " Student's over chunks of searches. Points of one curve come from the same searches."
            ),
        ],
    )


def _speeds(view: ResultView) -> DataTable:
    """Return speeds beside the thesis's. They are not a claim, because its computers are from 2009."""
    rows = [[f"SOS({n})", f"{old:,}", f"{view.speed(n):,.0f}"] for n, old in SPEEDS.items()]
    return DataTable("UCT's games per second", ["", "thesis", "here, one core"], rows)


def experiment(name: str, part: str, shows: str, places: Sequence[Place]) -> Experiment:
    """Return the experiment on some figures."""
    count = len(points(places, 1, 1))
    return Experiment(
        id=name,
        paper=PAPER,
        part=part,
        shows=shows,
        setup=PLAYER,
        scales={
            scale: Scale({"trials": trials, "last": last}, max(1.0, count * SECONDS_PER_POINT[scale]))
            for scale, (trials, last) in SIZES.items()
        },
        points=lambda trials, last: points(places, trials, last),
        findings=lambda results: findings(places, results),
    )


def _alone(place: Place) -> Experiment:
    graph = FIGURES[place]
    name = f"sos-5.{place}" if isinstance(place, int) else f"sos-section-{place}"
    return experiment(name, graph.name.lower(), f"{graph.words[0].upper()}{graph.words[1:]}.", [place])


EXPERIMENTS = [
    experiment("sos", "figures 5.1 to 5.34", "All figures of the study of UCT and RAVE.", list(FIGURES)),
    *(_alone(place) for place in FIGURES),
]
