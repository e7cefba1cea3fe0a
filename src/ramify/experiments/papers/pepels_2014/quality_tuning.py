"""Tuning of the baseline's exploration constant for each game of ``quality``, with the same effort for all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.figures.curves import Curve, Panel, panels
from ramify.experiments.framework.claims import OURS, Claim, Test, above, judge
from ramify.experiments.framework.estimates import Estimate, format_interval, mean
from ramify.experiments.framework.experiment import Experiment, Point, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.papers.pepels_2014.cells import TUNED
from ramify.experiments.papers.pepels_2014.players import GAMES, QUICK_PLAYOUTS, baseline, halved
from ramify.experiments.trials.paired_games import PairedGames, paired_results, score_estimate

RIVAL = 0.4
CONSTANTS = (0.1, 0.2, 0.3, 0.6)
WORSE = 0.1  # another constant is better if its score is higher by more than this


def key(game: str, c: float) -> str:
    return f"{game} c = {c}"


def points(pairs: int, games: Sequence[str] = tuple(GAMES), most: int = 1000) -> list[Point]:
    """Return every constant in every game, against the usual one. All constants share their openings."""
    return [
        Point(
            key(game, c),
            PairedGames(
                GAMES[game].rules,
                baseline(game, c),
                baseline(game, RIVAL),
                PlayerLimits(simulations=min(most, QUICK_PLAYOUTS[game])),
            ),
            pairs,
            stream=game,
        )
        for game in games
        for c in CONSTANTS
    ]


def findings(results: Results) -> Findings:
    """Return scores by constant, and whether the constants of ``quality`` are good enough."""
    games = results.sizes.get("games", tuple(GAMES))
    scores = {game: {c: score_estimate(paired_results(results[key(game, c)])) for c in CONSTANTS} for game in games}
    rows = [
        [
            game,
            *(format_interval(found[c], 2) for c in CONSTANTS),
            f"{TUNED[game]:g}",
            f"{halved(GAMES[game].printed_c):g}",
        ]
        for game, found in scores.items()
    ]
    claims = [
        Claim(
            f"{game}: no other constant scores more than {WORSE} above c = {TUNED[game]:g}",
            OURS,
            judge(*_tests(results, game)),
        )
        for game in games
    ]
    return Findings(
        [
            Exhibit(
                "Tuning",
                f"the baseline's score against itself with c = {RIVAL}, by exploration constant",
                claims,
                [
                    DataTable(
                        f"Score against c = {RIVAL}, 95 % intervals; the constant chosen, and half the program's",
                        ["game", *(f"{c}" for c in CONSTANTS), "chosen", "program's"],
                        rows,
                    )
                ],
                [FigureSpec("scores", "The baseline's score by exploration constant", partial(_figure, scores))],
            )
        ],
        [
            (
                "'quality' uses the constant with the highest score in each game, or"
                f" {RIVAL} if no other scored above one half at the scale quick."
            )
        ],
    )


def _tests(results: Results, game: str) -> Iterator[Test]:
    """Yield tests of the chosen constant against each other one, paired by opening."""
    chosen = TUNED[game]
    for c in (*CONSTANTS, RIVAL):
        if c != chosen:
            yield above(
                mean(_pairs(results, game, chosen) - _pairs(results, game, c)),
                -WORSE,
                f"c = {chosen:g} minus c = {c:g}",
            )


def _pairs(results: Results, game: str, c: float) -> npt.NDArray[np.float64]:
    """Score of every pair of games; one half for c = RIVAL. A chunk is a pair."""
    found = results[key(game, CONSTANTS[0] if c == RIVAL else c)]
    scores = (found.by_chunk("wins") + found.by_chunk("draws") / 2) / found.by_chunk("games")
    return np.full_like(scores, 0.5) if c == RIVAL else scores


def _figure(scores: Mapping[str, Mapping[float, Estimate]]) -> bytes:
    curves = [Curve.from_intervals(game, CONSTANTS, [found[c] for c in CONSTANTS]) for game, found in scores.items()]
    title = f"The baseline against itself with c = {RIVAL}"
    return panels([Panel(title, curves, "c", "score", marked=True, levels=(0.5,))])


EXPERIMENT = Experiment(
    id="quality-tuning",
    paper="",
    part="our own study, run before quality",
    shows="Which exploration constant is best for the baseline in each game of 'quality'.",
    setup="{pairs} pairs of games with swapped seats and a shared opening of two random plies per constant and game,"
    f" against the same player with c = {RIVAL}; 1000 simulations per move, 500 in Chinese Checkers and 200 in Cannon.",
    scales={
        "smoke": Scale({"pairs": 2, "games": ("breakthrough",), "most": 50}, 5),
        "quick": Scale({"pairs": 24}, 250),
        "paper": Scale({"pairs": 200}, 2000),
    },
    points=points,
    findings=findings,
)
