"""Exploration constants of the baseline of ``quality``: others against that of the paper's program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.figures.curves import Curve, Panel, panels
from ramify.experiments.framework.claims import OURS, Claim, below, judge
from ramify.experiments.framework.estimates import Estimate, format_interval
from ramify.experiments.framework.experiment import Experiment, Point, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.papers.pepels_2014.players import GAMES, QUICK_PLAYOUTS, baseline
from ramify.experiments.trials.paired_games import PairedGames, paired_results, score_estimate

CONSTANTS = (0.1, 0.2, 0.3, 0.7)
BETTER = 0.6  # another constant is better if its score against the program's is above this


def key(game: str, c: float) -> str:
    return f"{game} c = {c}"


def points(pairs: int, games: Sequence[str] = tuple(GAMES), most: int = 1000) -> list[Point]:
    """Return every constant in every game, against the program's. All constants share their openings."""
    return [
        Point(
            key(game, c),
            PairedGames(
                GAMES[game].rules,
                baseline(game, c=c),
                baseline(game),
                PlayerLimits(simulations=min(most, QUICK_PLAYOUTS[game])),
            ),
            pairs,
            stream=game,
        )
        for game in games
        for c in CONSTANTS
    ]


def findings(results: Results) -> Findings:
    """Return scores by constant, and whether any of them is better than the program's."""
    games = results.sizes.get("games", tuple(GAMES))
    scores = {game: {c: score_estimate(paired_results(results[key(game, c)])) for c in CONSTANTS} for game in games}
    rows = [
        [
            game,
            *(format_interval(found[c], 2) for c in CONSTANTS),
            f"{GAMES[game].c:g}",
        ]
        for game, found in scores.items()
    ]
    claims = [
        Claim(
            f"{game}: no other constant scores more than {BETTER} against c = {GAMES[game].c:g}",
            OURS,
            judge(*(below(score, BETTER, f"c = {c:g}") for c, score in found.items())),
        )
        for game, found in scores.items()
    ]
    return Findings(
        [
            Exhibit(
                "Tuning",
                "the baseline's score against itself with the program's constant, by exploration constant",
                claims,
                [
                    DataTable(
                        "Score against half the program's constant, 95 % intervals, and that constant",
                        ["game", *(f"{c}" for c in CONSTANTS), "program's"],
                        rows,
                    )
                ],
                [FigureSpec("scores", "The baseline's score by exploration constant", partial(_figure, scores))],
            )
        ],
        [
            (
                "'quality' uses the program's constant in every game, halved because rewards here lie in [0, 1]. The"
                " paper tuned its constant without bonuses and does not print it."
            )
        ],
    )


def _figure(scores: Mapping[str, Mapping[float, Estimate]]) -> bytes:
    curves = [Curve.from_intervals(game, CONSTANTS, [found[c] for c in CONSTANTS]) for game, found in scores.items()]
    title = "The baseline against itself with the program's c"
    return panels([Panel(title, curves, "c", "score", marked=True, levels=(0.5,))])


EXPERIMENT = Experiment(
    id="quality-tuning",
    paper="",
    part="our own study of the baseline of quality",
    shows="Whether another exploration constant than the program's is better in a game of 'quality'.",
    setup="{pairs} pairs of games with swapped seats and a shared opening of two random plies per constant and game,"
    " against the same player with the program's constant; 1000 simulations per move, 500 in Chinese Checkers and 200"
    " in Cannon.",
    scales={
        "smoke": Scale({"pairs": 2, "games": ("breakthrough",), "most": 50}, 5),
        "quick": Scale({"pairs": 24}, 250),
        "paper": Scale({"pairs": 200}, 2000),
    },
    points=points,
    findings=findings,
)
