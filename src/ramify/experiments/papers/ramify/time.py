"""Which allocation to use when time is short: all of them against UCT in eight games and with three times per move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.figures.curves import Curve, Panel, panels
from ramify.experiments.framework.claims import OURS, Claim, above, judge_family
from ramify.experiments.framework.estimates import Estimate, format_interval
from ramify.experiments.framework.experiment import Experiment, Point, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.papers.putrich_2023.players import GAMES as FIVE
from ramify.experiments.papers.ramify.equal_time import pooled, time_text
from ramify.experiments.trials.paired_games import PairedGames, paired_results, score_estimate
from ramify.statistics.format import elo_text
from ramify.statistics.inference import elo_interval
from ramify.statistics.pairs import PairedResults

GAMES = FIVE | {"othello": "othello", "hex": "hex", "go": "go(size=9)"}
C = 0.4
RIVAL = f"uct(c={C})"
CANDIDATES = {
    name: f"mcts({how}, select=ucb1(c={C}))"
    for name, how in {
        "sequential_halving": "allocation=sequential_halving",
        "uct_sqrt_sh": "allocation=uct_sqrt_sh",
        "SR+CR": "select_root=ucb_sqrt",
        "h_mcts": "allocation=h_mcts",
    }.items()
} | {name: f"mcts(allocation={name})" for name in ("shot", "shot_original", "gumbel")}


def key(game: str, candidate: str, seconds: float) -> str:
    return f"{game} {candidate} at {seconds:g} s"


def points(seconds: Sequence[float], pairs: Sequence[int], games: Sequence[str] = tuple(GAMES)) -> list[Point]:
    """Return every candidate against UCT in every game and at each time per move, with its number of pairs."""
    return [
        Point(
            key(game, candidate, one),
            PairedGames(GAMES[game], agent, RIVAL, PlayerLimits(seconds=one)),
            count,
            stream=f"{game} at {one:g} s",
        )
        for one, count in zip(seconds, pairs, strict=True)
        for game in games
        for candidate, agent in CANDIDATES.items()
    ]


def findings(results: Results) -> Findings:
    """Return ratings over all games by time, scores by game, and verdicts on which allocations beat UCT."""
    times, games = results.sizes["seconds"], results.sizes.get("games", tuple(GAMES))
    cells = {
        (game, candidate, seconds): paired_results(results[key(game, candidate, seconds)])
        for game in games
        for candidate in CANDIDATES
        for seconds in times
    }
    overall = {
        (candidate, seconds): pooled(cells[game, candidate, seconds] for game in games)
        for candidate in CANDIDATES
        for seconds in times
    }
    compared = list(overall)
    verdicts = judge_family([above(score_estimate(overall[one]), 0.5, "the score") for one in compared])
    claims = [
        Claim(f"{candidate} beats UCT at {time_text(seconds)} per move, over all games", OURS, verdict, family="time")
        for (candidate, seconds), verdict in zip(compared, verdicts, strict=True)
    ]
    ratings = DataTable(
        "Elo above UCT with the same time, over all games, 95 % intervals",
        ["allocation", *(time_text(seconds) for seconds in times)],
        [
            ["UCT", *("0" for _ in times)],
            *(
                [candidate, *(elo_text(elo_interval(overall[candidate, seconds])) for seconds in times)]
                for candidate in CANDIDATES
            ),
        ],
    )
    by_game = [
        DataTable(
            f"Score against UCT at {time_text(seconds)} per move, 95 % intervals",
            ["game", "allocation", "score"],
            [
                [game, candidate, format_interval(score_estimate(cells[game, candidate, seconds]))]
                for game in games
                for candidate in CANDIDATES
            ],
            texts=2,
        )
        for seconds in times
    ]
    drawing = FigureSpec(
        "ratings", "Scores of seven allocations against UCT by time per move", partial(_figure, overall, times)
    )
    return Findings([Exhibit("time", "seven allocations against UCT", claims, [ratings, *by_game], [drawing])], NOTES)


NOTES = [
    (
        "Our own study. Verdicts are corrected (Holm) for all comparisons: with probability at least 95 % all of them"
        " are right. Ratings pool all games, each with the same number of pairs."
    ),
    (
        f"All agents with UCB1 have c = {C}, which was tuned for UCT with 40 games ('ramify reproduce rave-tuning');"
        " nothing else was tuned. Figures depend on the machine: a faster one is equivalent to more time."
    ),
]


def _figure(overall: Mapping[tuple[str, float], PairedResults], times: Sequence[float]) -> bytes:
    def curve(candidate: str) -> Curve:
        found: list[Estimate] = [score_estimate(overall[candidate, seconds]) for seconds in times]
        return Curve.from_intervals(candidate, [1000 * seconds for seconds in times], found)

    panel = Panel(
        "Allocations against UCT, over all games",
        [curve(candidate) for candidate in CANDIDATES],
        "milliseconds per move",
        "score against UCT",
        powers=True,
        levels=(0.5,),
    )
    return panels([panel])


EXPERIMENT = Experiment(
    id="time",
    paper="",
    part="our own study",
    shows="Which allocation to use when time is short.",
    setup="Every allocation against " + RIVAL + " with the same time per move, in eight games; pairs of games with"
    " swapped seats and a shared opening of two random plies, {pairs} of them in each game with {seconds} seconds.",
    scales={
        "smoke": Scale({"seconds": (0.002,), "pairs": (1,), "games": ("hex",)}, 10),
        "quick": Scale({"seconds": (0.01, 0.1), "pairs": (10, 2)}, 1100),
        "paper": Scale({"seconds": (0.01, 0.1, 1.0), "pairs": (50, 10, 4)}, 13_000),
    },
    points=points,
    findings=findings,
)
