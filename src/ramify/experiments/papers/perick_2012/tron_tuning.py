"""Constants of selection policies at Tron, tuned against reference opponents: the heat maps of figure 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from ramify.agents.presets.tron import POLICIES as TUNED
from ramify.arena.reports.png import BLUE, GREY, picture
from ramify.arena.tuning.response_surface import ResponseSurface
from ramify.experiments.figures.curves import TOTAL_WIDTH
from ramify.experiments.framework.claims import Claim, above, judge
from ramify.experiments.framework.estimates import Estimate, format_interval, share
from ramify.experiments.framework.experiment import Experiment, Part, Point, PointResult, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.framework.statements import statements
from ramify.experiments.papers.perick_2012.decisive import DecisiveGames
from ramify.experiments.papers.perick_2012.dot_plots import dot_plot
from ramify.experiments.papers.perick_2012.policies import CHUNK, PAPER, POLICIES, budget
from ramify.experiments.papers.perick_2012.round_robin import total
from ramify.grammar import parse
from ramify.statistics.pairs import PairedResults

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SAYS = statements("perick_2012")
LEAST_SPREAD = 0.1  # of the shares in a map: a flat map has one shade
GRID = 60  # cells of a map in each direction


@dataclass(frozen=True)
class Space:
    """The tuned constants of a policy, each with its range."""

    policy: str
    ranges: dict[str, tuple[float, float]]

    def grid(self, steps: int) -> list[tuple[float, ...]]:
        """Return a grid of ``steps`` equally spaced values per constant."""
        values = [np.linspace(low, high, steps).round(4).tolist() for low, high in self.ranges.values()]
        return list(product(*values))

    def place(self, values: Sequence[float]) -> list[float]:
        """Map constants to [0, 1] within their ranges."""
        return [(value - low) / (high - low) for value, (low, high) in zip(values, self.ranges.values(), strict=True)]

    def agent(self, values: Sequence[float]) -> str:
        """Return the search with these constants; for UCB1, c is the square root of the paper's C."""
        given = {
            name: value**0.5 if self.policy == "ucb1" else value
            for name, value in zip(self.ranges, values, strict=True)
        }
        constants = ", ".join(f"{name}={value}" for name, value in given.items())
        return f"mcts(select={parse(TUNED[self.policy][0]).name}({constants}), playout=heuristic, deviation=children)"

    @property
    def printed(self) -> tuple[float, ...]:
        """Tuned constants of table I."""
        found = tuple(value for _, value in parse(TUNED[self.policy][0]).arguments if isinstance(value, float))
        return tuple(round(value**2, 4) for value in found) if self.policy == "ucb1" else found

    def key(self, values: Sequence[float]) -> str:
        return f"{self.policy} {' '.join(f'{value:g}' for value in values)}"


SPACES = [
    Space("ucb1", {"c": (0.5, 8.0)}),
    Space("ucb_v", {"c": (0.2, 3.0), "z": (0.1, 2.0)}),
    Space("ucb_minimal", {"c1": (0.5, 12.0), "c2": (0.2, 3.0)}),
    Space("epsilon_greedy", {"c": (0.1, 2.0), "d": (0.05, 1.5)}),
    Space("thompson", {"c1": (0.5, 12.0), "c2": (0.5, 4.0)}),
    Space("exp3", {"g": (0.05, 0.95)}),
]


def points(decisive: int, printed: int, steps: int, budgets: str, game: str = "tron") -> list[Point]:
    """Return every grid point and the printed constants, against the reference constants."""
    return [
        Point(
            space.key(values),
            DecisiveGames(game, space.agent(values), f"tron_{space.policy}(tuned=false)", budget(budgets)),
            printed if values == space.printed else decisive,
            CHUNK,
        )
        for space in SPACES
        for values in dict.fromkeys([*space.grid(steps), space.printed])
    ]


def table_1(results: Results) -> Findings:
    """Whether the printed constants beat the reference constants."""
    shares = [_share(results[space.key(space.printed)]) for space in SPACES]
    claims = [
        Claim(
            f"{_label(space)}: the printed constants win more than half of the games",
            SAYS[f"table-1-{space.policy}".replace("_", "-")],
            judge(above(found, 0.5, "the share")),
        )
        for space, found in zip(SPACES, shares, strict=True)
    ]
    table = DataTable(
        "Share of decisive games against the reference, 95 % intervals",
        ["policy", "printed", "share"],
        [
            [_label(space), _named(space, space.printed), format_interval(found)]
            for space, found in zip(SPACES, shares, strict=True)
        ],
        texts=2,
    )
    figure = FigureSpec(
        "constants",
        "Share of decisive games that the printed constants win against the reference constants",
        partial(
            dot_plot,
            [f"{_label(space)}\n{_named(space, space.printed)}" for space in SPACES],
            {"measured": shares},
            "share of decisive games won against the reference",
        ),
    )
    return Findings([Exhibit("Table I", "the printed constants against the reference ones", claims, [table], [figure])])


def figure_2(results: Results) -> Findings:
    """Maps of the shares over a grid of constants."""
    found = _grids(results)
    rows = []
    for space in SPACES:
        shares = {values: _share(found[space.policy][values]) for values in space.grid(results.sizes["steps"])}
        best = max(shares, key=lambda values: shares[values].estimate)
        rows.append([_label(space), _named(space, best), format_interval(shares[best])])
    exhibit = Exhibit(
        "Figure 2",
        "constants against the reference opponents",
        [],
        [
            DataTable(
                "Best of each grid: share of decisive games against the reference, 95 % intervals",
                ["policy", "best of the grid", "share"],
                rows,
                texts=2,
            )
        ],
        [
            FigureSpec(
                "maps", "Shares against the reference by constants, printed constants marked", partial(_maps, found)
            )
        ],
        assumed_settings="the ranges and steps of the grids, which the text does not give",
    )
    return Findings([exhibit], NOTES)


def findings(results: Results) -> Findings:
    """Combine both parts."""
    return Findings([*table_1(results).exhibits, *figure_2(results).exhibits], NOTES)


def _grids(results: Results) -> dict[str, dict[tuple[float, ...], PointResult]]:
    """Results by policy and constants: the grid, and the printed constants."""
    return {
        space.policy: {
            values: results[space.key(values)]
            for values in dict.fromkeys([*space.grid(results.sizes["steps"]), space.printed])
        }
        for space in SPACES
    }


def _label(space: Space) -> str:
    return POLICIES[space.policy].label


NOTES = [
    (
        "The best of a grid is the best of many noisy shares, and its interval ignores this selection bias. The maps"
        " are smoothed as in 'ramify tune'. UCB1's C is under the square root, as printed."
    )
]


def _share(measured: PointResult) -> Estimate:
    wins, losses = total(measured, "wins"), total(measured, "losses")
    return share(wins, wins + losses)


def _named(space: Space, values: Sequence[float]) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in zip(space.ranges, values, strict=True))


@picture
def _maps(figure: Figure, found: dict[str, dict[tuple[float, ...], PointResult]]) -> None:
    figure.set_size_inches(TOTAL_WIDTH, 7.2)
    for axes, space in zip(figure.subplots(3, 2).ravel(), SPACES, strict=True):
        _map(axes, space, found[space.policy])
        axes.set_title(_label(space), fontsize=10)


def _map(axes: Axes, space: Space, found: dict[tuple[float, ...], PointResult]) -> None:
    """Draw the response surface, lighter for higher shares; a curve if there is only one constant."""
    known = {values: one for values, one in found.items() if one.chunks}
    surface = ResponseSurface([space.place(values) for values in known], [_results(one) for one in known.values()])
    names = list(space.ranges)
    ranges = [np.linspace(low, high, GRID) for low, high in space.ranges.values()]
    means, deviations = surface([space.place(values) for values in product(*ranges)])
    if len(names) == 1:
        axes.plot(ranges[0], means, color="tab:orange")
        axes.fill_between(ranges[0], means - 2 * deviations, means + 2 * deviations, color="tab:orange", alpha=0.2)
        for values, one in known.items():
            share_ = _share(one)
            axes.plot([values[0]] * 2, [share_.low, share_.high], color=BLUE, linewidth=1, alpha=0.6)
            axes.plot(values[0], share_.estimate, "o", color=BLUE, markersize=3)
        axes.axhline(0.5, color=GREY, linewidth=0.8, linestyle=":")
        axes.axvline(space.printed[0], color="tab:red", linewidth=0.8)
        axes.set(xlabel=names[0], ylabel="share", ylim=(0, 1))
        axes.locator_params(axis="x", nbins=4)
        return
    middle, half = (means.max() + means.min()) / 2, max(means.max() - means.min(), LEAST_SPREAD) / 2
    levels = np.linspace(middle - half, middle + half, 11)
    drawn = axes.contourf(ranges[0], ranges[1], means.reshape(GRID, GRID).T, levels=levels, cmap="gray", extend="both")
    axes.figure.colorbar(drawn, ax=axes, format="%.2f", extend="neither")
    axes.plot([space.printed[0]], [space.printed[1]], "r*", markersize=11)
    axes.set(xlabel=names[0], ylabel=names[1])


def _results(measured: PointResult) -> PairedResults:
    counts = {0.0: total(measured, "losses"), 1.0: total(measured, "wins")}
    found = {score: count for score, count in counts.items() if count}
    return PairedResults(tuple(found), tuple(found.values()), games_per_pair=1)


PRINTED = {space.key(space.printed) for space in SPACES}

EXPERIMENT = Experiment(
    id="tron-tuning",
    paper=PAPER,
    part="table I and figure 2",
    shows="Which constants of six selection policies are best at Tron against reference opponents.",
    setup="Each constant at {steps} values over its range, with every value of the other one, against the same policy"
    " with its reference constants, until {decisive} games are decisive ({printed} with the printed constants),"
    " {budgets} per move.",
    scales={
        "smoke": Scale(
            {
                "decisive": 1,
                "printed": 2,
                "steps": 2,
                "budgets": "20 simulations",
                "game": "tron(rows=6, columns=6)",
            },
            5,
        ),
        "quick": Scale({"decisive": 30, "printed": 100, "steps": 5, "budgets": "1000 simulations"}, 1000),
        "paper": Scale({"decisive": 10_000, "printed": 10_000, "steps": 9, "budgets": "0.1 s"}, 39_000_000),
    },
    points=points,
    findings=findings,
    parts={
        "table-1": Part(
            "table I",
            "Whether the constants that the paper tuned beat its reference constants.",
            lambda key: key in PRINTED,
            table_1,
        ),
        "figure-2": Part(
            "figure 2", "Which constants of six selection policies are best at Tron.", lambda _: True, figure_2
        ),
    },
)
