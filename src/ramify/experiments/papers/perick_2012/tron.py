"""Twelve selection policies at Tron, a game with simultaneous moves."""

from __future__ import annotations

from ramify.experiments.framework.experiment import Experiment, Part, Point, Results, Scale
from ramify.experiments.framework.findings import Findings
from ramify.experiments.papers.perick_2012.decisive import DecisiveGames
from ramify.experiments.papers.perick_2012.heuristic import RANDOM, UCT, heuristic, heuristic_key
from ramify.experiments.papers.perick_2012.other_readings import READINGS, others
from ramify.experiments.papers.perick_2012.policies import CHUNK, PAPER, POLICIES, budget, pair_points
from ramify.experiments.papers.perick_2012.ranked_budgets import RANKING, ranking
from ramify.experiments.papers.perick_2012.table_2 import table_2

AGENTS = {name: f"tron_{name}" for name in POLICIES}


def points(
    decisive: int, longest: int, more: int, playouts: int, budgets: str, ranking: str, game: str = "tron"
) -> list[Point]:
    """Return the round robin at every budget, and all other comparisons at the budget of table II.

    ``ranking`` lists the other budgets; the last of them is played ``longest`` times per pair.
    """
    limits = budget(budgets)
    others = ranking.split(", ")

    def point(key: str, first: str, second: str, games: int) -> Point:
        return Point(f"{key}, {budgets}", DecisiveGames(game, first, second, limits), games, CHUNK)

    return [
        *(
            point(heuristic_key(playout, c), uct.format(playout="heuristic"), uct.format(playout=playout), playouts)
            for playout in RANDOM
            for c, uct in UCT.items()
        ),
        *pair_points(game, AGENTS, decisive, budgets),
        *(one for text in others[:-1] for one in pair_points(game, AGENTS, decisive, text, RANKING)),
        *pair_points(game, AGENTS, longest, others[-1], RANKING, chunk=1),  # a game takes several seconds
        *(
            point(f"{switch} {name}", first.format(name=name), second.format(name=name), more)
            for (name, switch), (first, second, *_) in READINGS.items()
        ),
        *(point(f"script {name}", agent, "scripted", more) for name, agent in AGENTS.items()),
    ]


def is_pair(key: str) -> bool:
    """Whether a point belongs to a round robin."""
    return " - " in key


def findings(results: Results) -> Findings:
    """Combine all parts."""
    made = [one.findings(results) for one in PARTS.values()]
    exhibits = [exhibit for one in made for exhibit in one.exhibits]
    return Findings(exhibits, list(dict.fromkeys(note for one in made for note in one.notes)))


PARTS = {
    "heuristic": Part(
        "section V-A",
        "Whether UCT at Tron is stronger with a heuristic for playouts than with purely random ones.",
        lambda key: key.startswith("heuristic "),
        heuristic,
    ),
    "table-2": Part(
        "table II",
        "Which of twelve selection policies is best at Tron.",
        lambda key: is_pair(key) and RANKING not in key,
        table_2,
    ),
    "ranking": Part(
        "table II at several budgets",
        "At which budget our ranking of the policies agrees best with the printed one.",
        is_pair,
        ranking,
    ),
    "readings": Part(
        "section IV",
        "What other readings of the printed formulas change, and how strong the policies are against a script.",
        lambda key: not is_pair(key) and not key.startswith("heuristic "),
        others,
    ),
}

EXPERIMENT = Experiment(
    id="tron",
    paper=PAPER,
    part="section V-A and table II",
    shows="Which of twelve selection policies is best at Tron, a game with simultaneous moves.",
    setup="Every policy against every other at Tron with the tuned constants of table I, until {decisive} games of"
    " each pair are decisive, with {budgets} per move, and for rankings with {ranking} ({longest} games of each pair"
    " with the largest); draws are played again, as in the paper. {playouts} decisive games for each reading of the"
    " heuristic's rival, {more} for each other comparison.",
    scales={
        "smoke": Scale(
            {
                "decisive": 1,
                "longest": 1,
                "more": 1,
                "playouts": 2,
                "budgets": "30 simulations",
                "ranking": "10 simulations",
                "game": "tron(rows=6, columns=6)",
            },
            10,
        ),
        "quick": Scale(
            {
                "decisive": 40,
                "longest": 5,
                "more": 40,
                "playouts": 100,
                "budgets": "1000 simulations",
                "ranking": "20 simulations, 100 simulations, 10000 simulations",
            },
            2000,
        ),
        "paper": Scale(
            {
                "decisive": 10_000,
                "longest": 10_000,
                "more": 10_000,
                "playouts": 10_000,
                "budgets": "1000 simulations",
                "ranking": "20 simulations, 100 simulations, 10000 simulations",
            },
            2_500_000,
        ),
    },
    points=points,
    findings=findings,
    parts=PARTS,
)
