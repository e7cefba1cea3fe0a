"""Results of a round robin: shares of decisive games, averages with intervals, ratings, tables and pictures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ramify.arena.reports.png import picture
from ramify.experiments.figures.curves import TOTAL_WIDTH
from ramify.experiments.framework.estimates import Estimate, format_interval, share
from ramify.experiments.framework.experiment import PointResult, Results
from ramify.experiments.framework.findings import DataTable
from ramify.experiments.framework.published_cells import mean_of
from ramify.experiments.papers.perick_2012.policies import PAIRS, POLICIES, pair_key
from ramify.statistics.format import elo_text
from ramify.statistics.inference import Interval, normal_quantile
from ramify.statistics.pairs import PairedResults
from ramify.statistics.ratings import Ratings, bradley_terry

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Matrix = npt.NDArray[np.float64]
DARK = 0.45  # shares up to this have white numbers in pictures


@dataclass(frozen=True)
class RoundRobin:
    """Per pair: decisive games won by its first policy, all decisive games, and draws."""

    wins: Mapping[tuple[str, str], int]
    games: Mapping[tuple[str, str], int]
    draws: Mapping[tuple[str, str], int]

    @classmethod
    def from_results(cls, results: Results, text: str, prefix: str = "") -> RoundRobin:
        """Read the points of one budget whose keys begin with ``prefix``."""
        measured = {pair: results[pair_key(*pair, text, prefix)] for pair in PAIRS}
        return cls(
            {pair: total(one, "wins") for pair, one in measured.items()},
            {pair: total(one, "wins") + total(one, "losses") for pair, one in measured.items()},
            {pair: total(one, "draws") for pair, one in measured.items()},
        )

    def score(self, first: str, second: str) -> Estimate:
        """Share of the decisive games between two policies that the first has won."""
        if (first, second) in self.wins:
            return share(self.wins[first, second], self.games[first, second])
        return share(self.games[second, first] - self.wins[second, first], self.games[second, first])

    def mean_share(self, name: str, others: Sequence[str]) -> Estimate:
        """Mean share of a policy against some others; its pairs are independent."""
        return mean_of([self.score(name, other) for other in others if other != name])

    def combined(self, weights: Mapping[str, float]) -> Estimate:
        """Weighted sum of averages. A policy's average is the mean of its shares over its eleven opponents.

        A pair's games count for both of its policies, so the sum is written over the shares of pairs, which are
        independent. The variance of a share adds two games of either result, so a clean sweep does not have variance 0.
        """
        rivals = len(POLICIES) - 1
        value = variance = 0.0
        for pair in PAIRS:
            first, second = (weights.get(name, 0.0) / rivals for name in pair)
            won, games = self.wins[pair], self.games[pair]
            value += second + (first - second) * (won / games if games else 0.5)
            likely = (won + 2) / (games + 4)
            variance += (first - second) ** 2 * likely * (1 - likely) / max(games, 1)

        def at(confidence: float) -> Interval:
            half = normal_quantile(confidence) * math.sqrt(variance)
            return Interval(value, value - half, value + half)

        return Estimate.from_function(at)

    def average(self, name: str) -> Estimate:
        """Mean share of a policy over its opponents."""
        return self.combined({name: 1.0})

    def lead(self, first: str, second: str) -> Estimate:
        """Difference of two averages."""
        return self.combined({first: 1.0, second: -1.0})

    def decisive(self, name: str) -> float:
        """Share of a policy's games that were decisive."""
        pairs = [pair for pair in PAIRS if name in pair]
        games, draws = (sum(counts[pair] for pair in pairs) for counts in (self.games, self.draws))
        return games / max(games + draws, 1)

    def ratings(self) -> Ratings:
        """Elo ratings from the decisive games."""
        return bradley_terry({pair: self._results(pair) for pair in PAIRS})

    def _results(self, pair: tuple[str, str]) -> PairedResults:
        counts = {0.0: self.games[pair] - self.wins[pair], 1.0: self.wins[pair]}
        found = {score: count for score, count in counts.items() if count}
        return PairedResults(tuple(found), tuple(found.values()), games_per_pair=1)

    def ranked(self) -> list[str]:
        """Policies by average, highest first."""
        return sorted(POLICIES, key=lambda name: -self.average(name).estimate)

    def table(self, title: str) -> DataTable:
        """Percentages of row against column, in the paper's order."""
        rows = [
            [
                f"{one.letters} {one.label}",
                *("" if other == name else f"{100 * self.score(name, other).estimate:.0f}" for other in POLICIES),
            ]
            for name, one in POLICIES.items()
        ]
        return DataTable(title, ["", *(one.letters for one in POLICIES.values())], rows)

    def averages(self, title: str, published: Mapping[str, str] | None = None) -> DataTable:
        """Averages, ratings and shares of decisive games; highest average first."""
        ratings = self.ratings()
        heads = ["policy", "average", *(["published"] if published else []), "Elo", "decisive"]
        rows = [
            [
                POLICIES[name].label,
                format_interval(self.average(name)),
                *([published[name]] if published else []),
                elo_text(ratings.interval(name)),
                f"{100 * self.decisive(name):.0f} %",
            ]
            for name in self.ranked()
        ]
        return DataTable(title, heads, rows)

    def matrix(self) -> Matrix:
        """Shares of row against column; NaN on the diagonal."""
        names = list(POLICIES)
        return np.array(
            [[np.nan if a == b else self.score(a, b).estimate for b in names] for a in names], dtype=np.float64
        )


def total(measured: PointResult, name: str) -> int:
    """Return a sum of a point; 0 before its first trial."""
    return int(measured.total(name)) if measured.chunks else 0


@picture
def heat_maps(figure: Figure, given: Mapping[str, Matrix]) -> None:
    """Draw round robins below each other: percent of decisive games won by the row, lighter where it is more."""
    figure.set_size_inches(TOTAL_WIDTH, 4.4 * len(given))
    for axes, (title, shares) in zip(figure.subplots(len(given), 1, squeeze=False)[:, 0], given.items(), strict=True):
        axes.imshow(shares, cmap="gray", vmin=0, vmax=1, aspect="auto")
        for (row, column), won in np.ndenumerate(shares):
            if not np.isnan(won):
                colour = "black" if won > DARK else "white"
                axes.text(column, row, f"{100 * won:.0f}", ha="center", va="center", fontsize=8, color=colour)
        axes.set_xticks(range(len(POLICIES)), [one.letters for one in POLICIES.values()], fontsize=9)
        axes.set_yticks(range(len(POLICIES)), [f"{one.label} {one.letters}" for one in POLICIES.values()], fontsize=9)
        axes.set_title(title, fontsize=10)
