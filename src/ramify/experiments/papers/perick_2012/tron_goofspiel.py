"""The twelve policies of the Tron paper at Goofspiel, which has more moves: a next step that the paper proposes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ramify.experiments.framework.claims import OURS, Claim, above, judge_family
from ramify.experiments.framework.experiment import Experiment, Point, Results, Scale
from ramify.experiments.framework.findings import Exhibit, FigureSpec, Findings
from ramify.experiments.papers.perick_2012.policies import DETERMINISTIC, POLICIES, STOCHASTIC, pair_points
from ramify.experiments.papers.perick_2012.round_robin import RoundRobin, heat_maps

AGENTS = {name: f"tron_{name}(playout=uniform)" for name in POLICIES}


def points(decisive: int, budget: str, game: str) -> list[Point]:
    return pair_points(game, AGENTS, decisive, budget)


def findings(results: Results) -> Findings:
    """Return the table, averages and ratings, and whether the results at Tron hold here."""
    budget = results.sizes["budget"]
    robin = RoundRobin.from_results(results, budget)
    return Findings(
        [
            Exhibit(
                "Goofspiel",
                f"twelve policies against each other, {budget} per move",
                list(_claims(robin)),
                [
                    robin.table("Percent of decisive games won by the row"),
                    robin.averages("Averages and ratings with 95 % intervals, share of decisive games"),
                ],
                [
                    FigureSpec(
                        "table",
                        "Shares of decisive games at Goofspiel",
                        partial(heat_maps, {"Goofspiel": robin.matrix()}),
                    )
                ],
            )
        ],
        NOTES,
    )


NOTES = [
    (
        "Our own study: the paper names testbeds with more moves as its next step. The constants are those that it"
        " tuned for Tron, and playouts are uniform. Verdicts are corrected (Holm) for all comparisons."
    )
]


def _claims(robin: RoundRobin) -> Iterator[Claim]:
    drawn = [name for name in STOCHASTIC if name != "random"]
    weights = {name: 1 / len(DETERMINISTIC) for name in DETERMINISTIC} | {name: -1 / len(drawn) for name in drawn}
    others = [name for name in POLICIES if name != "ucb1_tuned"]
    said = [
        "deterministic policies have higher averages than stochastic ones without Random",
        "OMC-Det has a higher average than OMC-Stoch",
        *(f"UCB1-Tuned has a higher average than {POLICIES[name].label}" for name in others),
    ]
    tests = [
        above(robin.combined(weights), 0.0, "the difference of the means"),
        above(robin.lead("omc_deterministic", "omc_stochastic")),
        *(above(robin.lead("ucb1_tuned", name)) for name in others),
    ]
    for sentence, verdict in zip(said, judge_family(tests), strict=True):
        yield Claim(sentence, OURS, verdict, family="goofspiel")


EXPERIMENT = Experiment(
    id="tron-goofspiel",
    paper="",
    part="our own study, run after tron",
    shows="Whether the order of twelve selection policies at Tron holds at a game with more moves.",
    setup="Every policy against every other at {game}, until {decisive} games of each pair are decisive, {budget} per"
    " move, uniform playouts, constants as tuned for Tron.",
    scales={
        "smoke": Scale({"decisive": 1, "budget": "20 simulations", "game": "goofspiel(cards=4)"}, 5),
        "quick": Scale({"decisive": 40, "budget": "1000 simulations", "game": "goofspiel"}, 300),
        "paper": Scale({"decisive": 1000, "budget": "1000 simulations", "game": "goofspiel"}, 7500),
    },
    points=points,
    findings=findings,
)
