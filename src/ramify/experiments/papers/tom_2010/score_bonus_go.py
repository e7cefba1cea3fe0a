"""The score bonus in 9x9 Go, where the thesis reports a gain (section 5.5)."""

from __future__ import annotations

from functools import partial

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.figures.curves import Curve, Panel, panels
from ramify.experiments.framework.claims import Claim, judge, within
from ramify.experiments.framework.estimates import Estimate, format_interval
from ramify.experiments.framework.experiment import Experiment, Point, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.framework.statements import statements
from ramify.experiments.papers.tom_2010.paper import PAPER
from ramify.experiments.papers.tom_2010.rave_players import RAVE
from ramify.experiments.trials.paired_games import PairedGames, paired_results, score_estimate

GAMMA = 0.02  # the best value in the thesis
SLIGHTLY = 0.6  # "slightly": a score below this (our reading)
BONUS = f"{RAVE[:-1]}, reward=score_bonus(gamma={GAMMA}))"


def key(simulations: int) -> str:
    return f"go at {simulations}"


def points(pairs: int, budgets: tuple[int, ...]) -> list[Point]:
    """Return the player with against without the bonus, at each budget."""
    return [
        Point(key(one), PairedGames("go(size=9)", BONUS, RAVE, PlayerLimits(simulations=one)), pairs, chunk=1)
        for one in budgets
    ]


def findings(results: Results) -> Findings:
    budgets = results.sizes["budgets"]
    found = {one: score_estimate(paired_results(results[key(one)])) for one in budgets}
    most = budgets[-1]
    claim = Claim(
        f"the player with the bonus scores from 0.5 to {SLIGHTLY} against the one without, at {most:,} simulations",
        statements("tom_2010")["section-5.5-go"],
        judge(within(found[most], 0.5, SLIGHTLY, "the score")),
    )
    rows = [[f"{one:,}", f"{2 * results[key(one)].trials:,}", format_interval(found[one])] for one in budgets]
    exhibit = Exhibit(
        "Section 5.5",
        "the score bonus in 9x9 Go",
        [claim],
        [
            DataTable(
                "Score of the player with the bonus, 95 % intervals", ["simulations", "games", "score"], rows, texts=0
            )
        ],
        [FigureSpec("score", "Score of RAVE with a score bonus against RAVE, 9x9 Go", partial(_figure, found))],
        assumed_settings="all but board and gamma: simulations per move, RAVE's constants, uniform playouts, komi",
    )
    return Findings(
        [exhibit],
        ["The thesis reports unpublished experiments by M. Enzenberger with Fuego, whose playouts use Go knowledge."],
    )


def _figure(found: dict[int, Estimate]) -> bytes:
    curve = Curve.from_intervals(f"gamma = {GAMMA} against none", list(found), list(found.values()))
    title = "RAVE with a score bonus against RAVE, 9x9 Go"
    panel = Panel(title, [curve], "simulations per move", "score with the bonus", powers=True, levels=(0.5,))
    return panels([panel])


EXPERIMENT = Experiment(
    id="score-bonus-go",
    paper=PAPER,
    part="section 5.5",
    shows="Whether the score bonus makes RAVE stronger in 9x9 Go.",
    setup="{pairs} pairs of games with swapped seats and a shared opening of two random plies, at {budgets} simulations"
    " per move; " + BONUS + " against " + RAVE + ".",
    scales={
        "smoke": Scale({"pairs": 2, "budgets": (8, 16)}, 3),
        "quick": Scale({"pairs": 150, "budgets": (125, 250)}, 150),
        "paper": Scale({"pairs": 1500, "budgets": (250, 1000)}, 3400),
    },
    points=points,
    findings=findings,
)
