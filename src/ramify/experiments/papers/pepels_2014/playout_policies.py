"""Section 6.1: the program's playouts against random ones, without bonuses."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.figures.strips import Strip, strips
from ramify.experiments.framework.claims import Claim, judge, within
from ramify.experiments.framework.estimates import Estimate, format_interval
from ramify.experiments.framework.experiment import Point, Results
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec
from ramify.experiments.framework.statements import statements
from ramify.experiments.papers.pepels_2014.players import FOLDER, GAMES, RANDOM, baseline
from ramify.experiments.trials.paired_games import PairedGames, paired_results, score_estimate

PLAYOUTS = "playouts of "  # beginning of the keys
LOWEST, HIGHEST = 0.57, 0.99  # as printed
INFORMED = tuple(game for game, one in GAMES.items() if RANDOM in one.playouts)  # all but Checkers


def playout_points(simulations: Mapping[str, int], pairs: int) -> list[Point]:
    """Return a match per game that has playouts other than random ones."""
    return [
        Point(
            PLAYOUTS + game,
            PairedGames(GAMES[game].rules, baseline(game), baseline(game, RANDOM), PlayerLimits(simulations=count)),
            pairs,
        )
        for game, count in simulations.items()
        if game in INFORMED
    ]


def playouts_exhibit(results: Results) -> Exhibit:
    """Return the scores of the playout policies."""
    points = {game: results[PLAYOUTS + game] for game in INFORMED if PLAYOUTS + game in results}
    scores = {game: score_estimate(paired_results(found)) for game, found in points.items()}
    return Exhibit(
        "Section 6.1",
        "the playout policies against random playouts, without bonuses",
        [
            Claim(
                f"a score from {LOWEST} to {HIGHEST} in each of these games",
                statements(FOLDER)["playouts-beat-random"],
                judge(*(within(score, LOWEST, HIGHEST, f"the score in {game}") for game, score in scores.items())),
            )
        ],
        [
            DataTable(
                "Score against random playouts, 95 % intervals",
                ["game", "games", "score"],
                [[game, f"{2 * points[game].trials}", format_interval(score)] for game, score in scores.items()],
            )
        ],
        [FigureSpec("playouts", "Scores of the playout policies against random playouts", partial(_figure, scores))],
    )


def _figure(scores: Mapping[str, Estimate]) -> bytes:
    return strips([Strip("Playout policies", {"measured": scores}, "score against random playouts", 0.5)])
