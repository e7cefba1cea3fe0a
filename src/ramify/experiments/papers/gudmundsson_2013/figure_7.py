"""Figure 7: the distribution of the differences between the best mean and the discriminant value d."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from ramify.experiments.figures.curves import Curve, Panel, panels
from ramify.experiments.framework.claims import Claim, below, judge
from ramify.experiments.framework.estimates import format_interval, mean
from ramify.experiments.framework.experiment import Point, Results
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.framework.statements import statements
from ramify.experiments.papers.gudmundsson_2013.difference_trials import EDGES, DifferenceTrials
from ramify.experiments.papers.gudmundsson_2013.paper import FOLDER

DIFFERENCES = "differences "  # begins the keys of figure 7
DIFFERENCE_SIMULATIONS = 1000
NORMAL = 0.1  # largest Kolmogorov distance that still counts as normal

Floats = npt.NDArray[np.float64]


def difference_points(players: Mapping[str, str], searches: int) -> list[Point]:
    """Return a point per rulesheet, given the player that searches it."""
    return [
        Point(DIFFERENCES + game, DifferenceTrials(f"gdl:{game}", player, DIFFERENCE_SIMULATIONS), searches)
        for game, player in players.items()
    ]


def differing(results: Results) -> list[str]:
    """Return the rulesheets whose differences were measured."""
    return [key.removeprefix(DIFFERENCES) for key in results if key.startswith(DIFFERENCES)]


def figure_7(results: Results) -> Findings:
    """Return the distributions of the differences, and whether they are normal."""
    distances = {game: mean(results[DIFFERENCES + game].by_chunk("distance")) for game in differing(results)}
    rows = [
        [game, f"{average:+.3f}", f"{deviation:.3f}", format_interval(distances[game])]
        for game in differing(results)
        for average, deviation in [_moments(_density(results, game))]
    ]
    claim = Claim(
        f"a search's differences are within {NORMAL} of the normal distribution (Kolmogorov distance), in each game",
        statements(FOLDER)["figure-7-normal"],
        judge(*(below(one, NORMAL, f"the mean distance in {game}") for game, one in distances.items())),
    )
    title = "differences between the best mean and the discriminant value d"
    return Findings(
        [
            Exhibit(
                "Figure 7",
                title,
                [claim],
                [
                    DataTable(
                        f"Differences in searches of {DIFFERENCE_SIMULATIONS} simulations",
                        ["game", "mean", "deviation", "distance from normal, by search"],
                        rows,
                    )
                ],
                [FigureSpec("figure-7", f"Figure 7: {title}", partial(_figure_7, results))],
                assumed_settings=f"the initial position, {DIFFERENCE_SIMULATIONS} simulations; the figure is a sketch",
            )
        ]
    )


def _density(results: Results, game: str) -> Floats:
    counts = np.asarray(results[DIFFERENCES + game].total("histogram"), np.float64)
    density: Floats = counts / max(counts.sum(), 1.0) / np.diff(EDGES)
    return density


def _moments(density: Floats) -> tuple[float, float]:
    """Return mean and deviation of a density over the bins."""
    centres, weights = (EDGES[1:] + EDGES[:-1]) / 2, density * np.diff(EDGES)
    average = float(weights @ centres)
    return average, float(np.sqrt(weights @ (centres - average) ** 2))


def _figure_7(results: Results) -> bytes:
    """Draw a panel per game: the density of all differences, and the normal one with the same mean and deviation."""
    given = []
    for game in differing(results):
        density = _density(results, game)
        average, deviation = _moments(density)
        normal = np.diff(ndtr((EDGES - average) / max(deviation, 1e-9))) / np.diff(EDGES)
        shown = np.flatnonzero((density > 0) | (normal > 1e-3))
        here = slice(max(shown[0] - 1, 0), shown[-1] + 2)
        centres = (EDGES[1:] + EDGES[:-1])[here] / 2
        curves = [Curve("measured", centres, density[here]), Curve("normal", centres, normal[here])]
        given.append(Panel(f"Figure 7: {game}", curves, "best mean minus d", "density"))
    return panels(given, columns=2)
