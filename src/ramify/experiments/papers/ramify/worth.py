"""What playout strategies, proofs and transpositions are worth at equal time: each against plain UCT in ten games."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.framework.claims import OURS, Claim, Verdict, above, judge_family
from ramify.experiments.framework.estimates import Estimate
from ramify.experiments.framework.experiment import Experiment, Point, PointResult, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.papers.ramify.equal_time import pooled, time_text
from ramify.experiments.papers.ramify.strategies import (
    CONSTANTS,
    GAMES,
    GAMES_OF_PAIRS,
    GROUPS,
    RIVAL,
    SMOKE,
    STRATEGIES,
    Cell,
    agent,
    claim,
    counted,
    figure,
    key,
)
from ramify.experiments.trials.paired_games import GamesByProcessorTime, paired_results, score_estimate
from ramify.statistics.format import elo_text
from ramify.statistics.inference import Interval, elo_interval
from ramify.statistics.pairs import PairedResults

EVALUATED = ("amazons", "breakthrough", "othello")  # games with evaluate(), which cut_off needs
SIGNS = {True: "+", False: "-", None: " "}


def cells_at_equal_time(games: Sequence[str]) -> list[Cell]:
    return [(name, game) for name in reversed(STRATEGIES) for game in games if name != "cut_off" or game in EVALUATED]


def points(seconds: float, pairs: int, games: Sequence[str] = tuple(GAMES)) -> list[Point]:
    """Return every strategy against UCT in every game, at equal CPU time."""
    return [
        Point(
            key(one, time_text(seconds)),
            GamesByProcessorTime(GAMES[one[1]], agent(one[0]), RIVAL, PlayerLimits(seconds=seconds)),
            pairs,
            chunk=min(pairs, 10),
            stream=one[1],
        )
        for one in cells_at_equal_time(games)
    ]


def findings(results: Results) -> Findings:
    """Return ratings over all games, scores by game, and verdicts on which strategies beat UCT."""
    seconds, games = results.sizes["seconds"], results.sizes.get("games", tuple(GAMES))
    cells = {one: paired_results(results[key(one, time_text(seconds))]) for one in cells_at_equal_time(games)}
    overall = {name: pooled(found for (one, _), found in cells.items() if one == name) for name in STRATEGIES}
    scores = {one: score_estimate(found) for one, found in cells.items()}
    compared = [*(score_estimate(found) for found in overall.values()), *scores.values()]
    verdicts = judge_family([above(one, 0.5, "the score") for one in compared])
    of_all = dict(zip(overall, verdicts, strict=False))
    of_cells = dict(zip(cells, verdicts[len(overall) :], strict=True))
    speeds = {one: speed(results[key(one, time_text(seconds))]) for one in cells}
    budget = f"at {time_text(seconds)} per move"
    exhibit = Exhibit(
        "time",
        f"each strategy against UCT {budget}",
        [
            *(
                Claim(f"{name} beats UCT {budget}, over all its games", OURS, verdict, family="worth")
                for name, verdict in of_all.items()
            ),
            *(claim(one, of_cells[one], budget, "worth") for one in counted(games)),
        ],
        [_ratings(overall, of_all, speeds), *_by_game(scores, of_cells, games, budget), *_speeds(speeds, games)],
        [
            FigureSpec(
                "time",
                f"Scores of ten strategies against UCT {budget}, by game, 95 % intervals",
                partial(figure, scores, games, budget),
            )
        ],
    )
    family = (
        f"Our own study. Verdicts are corrected (Holm) for all {len(compared)} comparisons, including those of single"
        " games: with probability at least 95 % all of them are right. In tables '+' marks a strategy that is stronger"
        " than UCT by its verdict, and '-' one that is weaker."
    )
    return Findings([exhibit], [family, TIME, CONSTANTS])


TIME = (
    "Time is CPU time of the searching thread, so other load on the machine takes nothing from either player. Tables"
    " and trees are cleared before a search's time begins, which takes about 0.4 ms per move with any of the agents."
    " Nothing is kept from move to move. Figures depend on the machine: a faster one is equivalent to more time."
)


def speed(measured: PointResult) -> float:
    """Simulations per second of the strategy, relative to UCT's in the same games."""
    simulations, seconds = (measured.total(name) for name in ("simulations", "seconds"))
    return float(simulations[0] / seconds[0]) / float(simulations[1] / seconds[1])


def _ratings(overall: dict[str, PairedResults], verdicts: dict[str, Verdict], speeds: dict[Cell, float]) -> DataTable:
    rows = []
    for name, found in overall.items():
        relative = [one for (strategy, _), one in speeds.items() if strategy == name]
        rows.append(
            [
                name,
                str(len(relative)),
                _percent(score_estimate(found), verdicts[name]),
                elo_text(elo_interval(found)),
                f"{np.exp(np.mean(np.log(relative))):.2f}",
            ]
        )
    return DataTable(
        "Score in % and Elo above UCT with the same time over all games, 95 % intervals, and simulations per second"
        " relative to UCT's (geometric mean)",
        ["strategy", "games", "score", "Elo", "speed"],
        rows,
    )


def _by_game(
    scores: dict[Cell, Estimate], verdicts: dict[Cell, Verdict], games: Sequence[str], budget: str
) -> list[DataTable]:
    return [
        DataTable(
            f"Score in % against UCT {budget}, 95 % intervals: {title}",
            ["game", *group],
            [
                [
                    game,
                    *(
                        _percent(scores[name, game], verdicts[name, game]) if (name, game) in scores else ""
                        for name in group
                    ),
                ]
                for game in games
            ],
        )
        for title, group in GROUPS.items()
    ]


def _speeds(speeds: dict[Cell, float], games: Sequence[str]) -> list[DataTable]:
    return [
        DataTable(
            f"Simulations per second relative to UCT's, in the same games: {title}",
            ["game", *group],
            [
                [game, *(f"{speeds[name, game]:.2f}" if (name, game) in speeds else "" for name in group)]
                for game in games
            ],
        )
        for title, group in GROUPS.items()
    ]


def _percent(score: Interval, verdict: Verdict) -> str:
    """Format a score for a narrow table, with a sign if the verdict is clear."""
    centre, low, high = (100 * one for one in (score.estimate, score.low, score.high))
    return f"{centre:.0f} [{low:.0f}, {high:.0f}] {SIGNS[verdict.holds]}".rstrip()


EXPERIMENT = Experiment(
    id="worth",
    paper="",
    part="our own study",
    shows="What playout strategies, proofs and transpositions are worth at equal time.",
    setup="Each strategy against " + RIVAL + " in ten games (cut_off in the three that have an evaluation), with"
    " {seconds} s of CPU time per move; " + GAMES_OF_PAIRS + " game.",
    scales={
        "smoke": Scale({"seconds": 0.001, **SMOKE}, 10),
        "quick": Scale({"seconds": 0.003, "pairs": 10}, 250),
        "paper": Scale({"seconds": 0.1, "pairs": 100}, 50_000),
    },
    points=points,
    findings=findings,
)
