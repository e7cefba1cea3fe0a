"""The score bonus in Go 9x9, where the thesis reports a gain (section 5.5)."""

from __future__ import annotations

from functools import partial

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.figures.curves import Curve, Panel, panels
from ramify.experiments.framework.claims import Claim, Source, judge, within
from ramify.experiments.framework.estimates import Estimate, format_interval
from ramify.experiments.framework.experiment import Experiment, Point, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.papers.tom_2010.paper import PAPER, THESIS
from ramify.experiments.papers.tom_2010.rave_players import RAVE
from ramify.experiments.trials.paired_games import PairedGames, paired_results, score_estimate

GAMMA = 0.02  # the best, as the thesis has it
SLIGHTLY = 0.6  # a slight gain: a score below this
BONUS = f"{RAVE[:-1]}, reward=score_bonus(gamma={GAMMA}))"


def key(simulations: int) -> str:
    """The name of a point."""
    return f"go at {simulations}"


def points(pairs: int, budgets: tuple[int, ...]) -> list[Point]:
    """The same player with the bonus and without, at each budget."""
    return [
        Point(key(one), PairedGames("go(size=9)", BONUS, RAVE, PlayerLimits(simulations=one)), pairs, chunk=1)
        for one in budgets
    ]


def findings(results: Results) -> Findings:
    """The score with the bonus."""
    budgets = results.sizes["budgets"]
    found = {one: score_estimate(paired_results(results[key(one)])) for one in budgets}
    most = budgets[-1]
    claim = Claim(
        f"the player with the bonus scores from 0.5 to {SLIGHTLY} against the one without, at {most:,} simulations",
        Source(THESIS, "5.5", f"a bonus of {GAMMA} improves the strength of Fuego at 9x9 slightly but significantly"),
        judge(within(found[most], 0.5, SLIGHTLY, "the score")),
    )
    rows = [[f"{one:,}", f"{2 * results[key(one)].trials:,}", format_interval(found[one])] for one in budgets]
    exhibit = Exhibit(
        "Section 5.5",
        "the score bonus in Go 9x9",
        [claim],
        [DataTable("Score of the player with the bonus, with 95 %", ["simulations", "games", "score"], rows, texts=0)],
        [FigureSpec("score", "Score of RAVE with a score bonus against RAVE, Go 9x9", partial(_figure, found))],
        assumed_settings="everything but the board and gamma: simulations a move, RAVE's constants, uniform playouts, komi",
    )
    return Findings(
        [exhibit],
        ["The thesis reports unpublished experiments by M. Enzenberger with Fuego, whose playouts know more of Go."],
    )


def _figure(found: dict[int, Estimate]) -> bytes:
    curve = Curve.from_intervals(f"gamma = {GAMMA} against none", list(found), list(found.values()))
    title = "RAVE with a score bonus against RAVE, Go 9x9"
    panel = Panel(title, [curve], "simulations a move", "score with the bonus", powers=True, levels=(0.5,))
    return panels([panel])


EXPERIMENT = Experiment(
    id="score-bonus-go",
    paper=PAPER,
    part="section 5.5",
    shows="Whether the score bonus makes RAVE stronger at Go 9x9.",
    setup="{pairs} pairs of games with swapped seats and a shared opening of two random plies, at {budgets} simulations"
    " a move; " + BONUS + " against " + RAVE + ".",
    scales={
        "smoke": Scale({"pairs": 2, "budgets": (8, 16)}, 3),
        "quick": Scale({"pairs": 150, "budgets": (125, 250)}, 150),
        "paper": Scale({"pairs": 1500, "budgets": (250, 1000)}, 3400),
    },
    points=points,
    findings=findings,
)
