"""Whether MAST and decisive moves beat uniform playouts at equal simulations: some cells of ``worth`` again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.framework.claims import above, judge_family
from ramify.experiments.framework.estimates import format_interval
from ramify.experiments.framework.experiment import Experiment, Point, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.papers.ramify.strategies import (
    CONSTANTS,
    GAMES,
    GAMES_OF_PAIRS,
    RIVAL,
    SMOKE,
    agent,
    claim,
    counted,
    figure,
    key,
)
from ramify.experiments.trials.paired_games import PairedGames, paired_results, score_estimate


def points(simulations: int, pairs: int, games: Sequence[str] = tuple(GAMES)) -> list[Point]:
    """Return some strategies against UCT at equal simulations."""
    return [
        Point(
            key(one, str(simulations)),
            PairedGames(GAMES[one[1]], agent(one[0]), RIVAL, PlayerLimits(simulations=simulations)),
            pairs,
            chunk=min(pairs, 5),
            stream=one[1],
        )
        for one in counted(games)
    ]


def findings(results: Results) -> Findings:
    """Return scores, and verdicts on which strategies beat UCT."""
    simulations, games = results.sizes["simulations"], results.sizes.get("games", tuple(GAMES))
    scores = {one: score_estimate(paired_results(results[key(one, str(simulations))])) for one in counted(games)}
    verdicts = judge_family([above(one, 0.5, "the score") for one in scores.values()])
    budget = f"at {simulations:,} simulations per move"
    exhibit = Exhibit(
        "simulations",
        f"playouts against uniform ones {budget}",
        [claim(one, verdict, budget, "worth-simulations") for one, verdict in zip(scores, verdicts, strict=True)],
        [
            DataTable(
                f"Score against UCT {budget}, 95 % intervals",
                ["game", "strategy", "score"],
                [[game, name, format_interval(score)] for (name, game), score in scores.items()],
                texts=2,
            )
        ],
        [
            FigureSpec(
                "simulations",
                f"Scores of playouts against uniform ones {budget}, 95 % intervals",
                partial(figure, scores, games, budget),
            )
        ],
    )
    family = (
        f"Our own study. Verdicts are corrected (Holm) for all {len(scores)} comparisons: with probability at least 95"
        " % all of them are right."
    )
    return Findings([exhibit], [family, CONSTANTS])


EXPERIMENT = Experiment(
    id="worth-simulations",
    paper="",
    part="our own study",
    shows="Whether MAST and decisive moves beat uniform playouts at equal simulations.",
    setup="MAST in Breakthrough and Amazons, and decisive moves in Breakthrough, against " + RIVAL + " with"
    " {simulations} simulations per move; " + GAMES_OF_PAIRS + ".",
    scales={
        "smoke": Scale({"simulations": 16, **SMOKE}, 5),
        "quick": Scale({"simulations": 1000, "pairs": 200}, 250),
        "paper": Scale({"simulations": 10_000, "pairs": 400}, 8000),
    },
    points=points,
    findings=findings,
)
