"""Table II as printed: its shares, the means of its rows, and what in it does not fit together."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations

import numpy as np

from ramify.experiments.framework import published
from ramify.experiments.framework.estimates import Estimate
from ramify.experiments.framework.findings import DataTable
from ramify.experiments.papers.perick_2012.policies import DETERMINISTIC, PAIRS, POLICIES, STOCHASTIC
from ramify.experiments.papers.perick_2012.round_robin import Matrix

ROUNDS = 10_000  # decisive games per pair
SUM_TOLERANCE = 0.011  # percentage points: two shares are rounded to 0.01
WIDTH_TOLERANCE = 0.011  # of a half-width, which is 1.96 or 2 standard errors
MEAN_TOLERANCE = 1.0  # below it a printed average counts as the mean of its row


@cache
def _rows() -> dict[str, dict[str, str]]:
    return {row["policy"]: row for row in published.table("tron_table2")}


def printed_share(first: str, second: str) -> Estimate:
    """Share of the games that ``first`` wins against ``second``, from the row of ``first``."""
    found = published.percentage(_rows()[first][second])
    assert found is not None
    return found


def printed_average(name: str) -> Estimate:
    """The last cell of a row."""
    return printed_share(name, "printed_average")


def row_mean(name: str) -> float:
    return float(np.mean([printed_share(name, other).estimate for other in POLICIES if other != name]))


def printed_matrix() -> Matrix:
    """Shares of row against column; NaN on the diagonal."""
    return np.array(
        [[math.nan if a == b else printed_share(a, b).estimate for b in POLICIES] for a in POLICIES], dtype=np.float64
    )


def contradictory(first: str, second: str) -> bool:
    """Whether each of the two cells of a pair says that the other policy wins."""
    return all(one.estimate < 0.5 for one in (printed_share(first, second), printed_share(second, first)))


def unequal_sums() -> list[tuple[str, str]]:
    """Return the pairs whose two shares do not add up to 100 %."""
    return [
        (a, b)
        for a, b in PAIRS
        if abs(printed_share(a, b).estimate + printed_share(b, a).estimate - 1) > SUM_TOLERANCE / 100
    ]


def odd_widths() -> list[tuple[str, str]]:
    """Return the cells whose half-width is not that of their share in ROUNDS games; the column may be the average."""

    def fits(one: Estimate) -> bool:
        error = math.sqrt(one.estimate * (1 - one.estimate) / ROUNDS)
        return min(abs(one.high - one.estimate - z * error) for z in (1.96, 2.0)) <= WIDTH_TOLERANCE / 100

    columns = [*POLICIES, "printed_average"]
    return [(a, b) for a in POLICIES for b in columns if a != b and not fits(printed_share(a, b))]


def odd_averages() -> list[str]:
    """Return the policies whose printed average differs from the mean of its row by more than MEAN_TOLERANCE."""
    return [name for name in POLICIES if abs(printed_average(name).estimate - row_mean(name)) > MEAN_TOLERANCE / 100]


def circular_triads() -> int:
    """Count the triples of policies in which each wins against one of the others (Kendall and Babington Smith 1940)."""

    def wins(a: str, b: str) -> bool:
        return printed_share(a, b).estimate > printed_share(b, a).estimate

    return sum(
        len({sum(wins(a, b) for b in triple if b != a) for a in triple}) == 1 for triple in combinations(POLICIES, 3)
    )


def losses_to_stochastic(name: str) -> int:
    """Count the stochastic policies, Random among them, against which a policy wins less than half of its games."""
    return sum(printed_share(name, other).estimate < 0.5 for other in STOCHASTIC)


def consistency() -> DataTable:
    """Return a table of what in the printed table does not fit together."""

    def percent(a: str, b: str) -> str:
        return f"{100 * printed_share(a, b).estimate:.2f}"

    def pair(a: str, b: str) -> str:
        return f"{POLICIES[a].label}, average" if b == "printed_average" else f"{label(a)} - {label(b)}"

    def label(name: str) -> str:
        return POLICIES[name].label

    def half(one: Estimate) -> str:
        return f"{100 * (one.high - one.estimate):.2f}"

    losers = [name for name in DETERMINISTIC if losses_to_stochastic(name)]
    return DataTable(
        "The printed table is not consistent with itself",
        ["what does not fit", "where", "printed"],
        [
            *(["the sum is not 100", pair(a, b), f"{percent(a, b)} + {percent(b, a)}"] for a, b in unequal_sums()),
            *(
                [
                    "the average is not the mean",
                    label(a),
                    f"{percent(a, 'printed_average')}, not {100 * row_mean(a):.2f}",
                ]
                for a in odd_averages()
            ),
            *(
                ["the half-width is another share's", pair(a, b), f"{percent(a, b)} ± {half(printed_share(a, b))}"]
                for a, b in odd_widths()
            ),
            *(
                ["loses to stochastic ones, as UCB-V", label(a), f"to {losses_to_stochastic(a)} of 6"]
                for a in losers
                if a != "ucb_v"
            ),
            [
                "three policies that beat one another",
                "",
                f"{circular_triads()} of {math.comb(len(POLICIES), 3)} triples",
            ],
        ],
        texts=2,
    )
