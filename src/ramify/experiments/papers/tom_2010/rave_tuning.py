"""Tuning of UCT's exploration constant for ``rave-games``, with the same effort as RAVE's."""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.figures.curves import Curve, Panel, panels
from ramify.experiments.framework.claims import OURS, Claim, above, judge
from ramify.experiments.framework.estimates import Estimate, format_interval, mean
from ramify.experiments.framework.experiment import Experiment, Point, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.papers.tom_2010.rave_players import RAVE, UCT_C
from ramify.experiments.trials.paired_games import PairedGames, paired_results, score_estimate

CONSTANTS = (0.2, 0.4, 0.7, 1.0)
GAMES = ("hex", "breakthrough", "othello")  # RAVE's constants were chosen with these
WORSE = 0.1  # another constant is better if its score is higher by more than this


def key(game: str, c: float) -> str:
    return f"{game} c = {c}"


def points(pairs: int, simulations: int) -> list[Point]:
    """Return every constant in every game, against RAVE. All constants share their openings."""
    return [
        Point(
            key(game, c),
            PairedGames(game, f"uct(c={c})", RAVE, PlayerLimits(simulations=simulations)),
            pairs,
            chunk=1,
            stream=game,
        )
        for game in GAMES
        for c in CONSTANTS
    ]


def findings(results: Results) -> Findings:
    """Return scores by constant, and whether the constant of ``rave-games`` is good enough."""
    scores = {(game, c): score_estimate(paired_results(results[key(game, c)])) for game in GAMES for c in CONSTANTS}
    overall = {c: mean(_pairs(results, c)) for c in CONSTANTS}
    rows = [
        [f"c = {c}", *(format_interval(scores[game, c]) for game in GAMES), format_interval(overall[c])]
        for c in CONSTANTS
    ]
    tests = [
        above(mean(_pairs(results, UCT_C) - _pairs(results, c)), -WORSE, f"c = {UCT_C} minus c = {c}")
        for c in CONSTANTS
        if c != UCT_C
    ]
    return Findings(
        [
            Exhibit(
                "Tuning",
                "UCT's score against RAVE by exploration constant",
                [Claim(f"no other constant scores more than {WORSE} above c = {UCT_C}", OURS, judge(*tests))],
                [DataTable("Score against RAVE, 95 % intervals", ["", *GAMES, "all"], rows)],
                [FigureSpec("scores", "UCT's score against RAVE by exploration constant", partial(_figure, scores))],
            )
        ],
        [
            (
                "RAVE's constants were chosen among four settings, by 40 games each in the same games against UCT"
                " with c = 0.4. 'rave-games' uses the constant with the highest mean score here."
            )
        ],
    )


def _pairs(results: Results, c: float) -> npt.NDArray[np.float64]:
    """Score of every pair of games, game by game; a chunk is a pair."""
    found = [results[key(game, c)] for game in GAMES]
    return np.concatenate([(one.by_chunk("wins") + one.by_chunk("draws") / 2) / one.by_chunk("games") for one in found])


def _figure(scores: dict[tuple[str, float], Estimate]) -> bytes:
    curves = [Curve.from_intervals(game, CONSTANTS, [scores[game, c] for c in CONSTANTS]) for game in GAMES]
    title = "UCT against RAVE by exploration constant"
    return panels([Panel(title, curves, "c", "score of UCT", marked=True, levels=(0.5,), limits=(-0.03, 1.03))])


EXPERIMENT = Experiment(
    id="rave-tuning",
    paper="",
    part="our own study, run before rave-games",
    shows="Which exploration constant is best for UCT against RAVE in real games.",
    setup="{pairs} pairs of games with swapped seats and a shared opening of two random plies in each of "
    + ", ".join(GAMES)
    + ", {simulations} simulations per move, against "
    + RAVE
    + ".",
    scales={
        "smoke": Scale({"pairs": 2, "simulations": 16}, 4),
        "quick": Scale({"pairs": 20, "simulations": 1000}, 50),
        "paper": Scale({"pairs": 100, "simulations": 1000}, 250),
    },
    points=points,
    findings=findings,
)
