"""Twelve selection policies at Tron, where both players move at once."""

from __future__ import annotations

from collections.abc import Sequence

from ramify.experiments.experiment import Experiment, Point, Results, Scale
from ramify.experiments.findings import Findings
from ramify.experiments.robins.decisive import DecisiveGames
from ramify.experiments.robins.policies import CHUNK, PAPER, POLICIES, budget, pair_points

AGENTS = {name: f"tron_{name}" for name in POLICIES}
WITH_DEVIATION = ("ucb1_tuned", "ucb_v", "omc_deterministic", "omc_stochastic", "pbbm")
WITH_VALUE = ("omc_deterministic", "omc_stochastic", "pbbm")
UCT = "tron_ucb1(tuned=false"  # the paper's UCT, before its constant was tuned
HEURISTIC = "heuristic against uniform playouts"


def points(decisive: int, more: int, playouts: int, budgets: Sequence[str], game: str = "tron") -> list[Point]:
    """The round robin by every budget, and by the first one whatever else is compared."""
    limits = budget(budgets[0])

    def point(key: str, first: str, second: str, games: int) -> Point:
        return Point(f"{key}, {budgets[0]}", DecisiveGames(game, first, second, limits), games, CHUNK)

    return [
        *(one for text in budgets for one in pair_points(game, AGENTS, decisive, text)),
        point(HEURISTIC, f"{UCT})", f"{UCT}, playout=uniform)", playouts),
        *(
            point(f"deviation {name}", f"tron_{name}", f"tron_{name}(deviation=pooled)", more)
            for name in WITH_DEVIATION
        ),
        *(point(f"value {name}", f"tron_{name}", f"tron_{name}(value=mean)", more) for name in WITH_VALUE),
        *(point(f"script {name}", agent, "scripted", more) for name, agent in AGENTS.items()),
    ]


def findings(results: Results) -> Findings:
    """What came out."""
    return Findings([])


EXPERIMENT = Experiment(
    id="tron",
    paper=PAPER,
    part="tables I and II",
    shows="Which of twelve selection policies is best at Tron, where both players move at once.",
    setup="Every policy against every other one with the tuned constants of table I on the {game} map, until {decisive}"
    " games of each pair are decisive, by {budgets} a move; draws are played again, as in the paper.",
    scales={
        "smoke": Scale(
            {
                "decisive": 1,
                "more": 1,
                "playouts": 2,
                "budgets": ("30 simulations",),
                "game": "tron(rows=6, columns=6)",
            },
            10,
        ),
        "quick": Scale({"decisive": 100, "more": 50, "playouts": 300, "budgets": ("1000 simulations",)}, 2400),
        "paper": Scale(
            {"decisive": 10_000, "more": 10_000, "playouts": 10_000, "budgets": ("0.1 s", "1000 simulations")},
            7_000_000,
        ),
    },
    points=points,
    findings=findings,
)
