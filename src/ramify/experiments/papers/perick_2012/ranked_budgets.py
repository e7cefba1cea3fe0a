"""At which budget our ranking of the policies agrees best with the printed one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ramify.experiments.framework.estimates import format_interval
from ramify.experiments.framework.experiment import Results
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.papers.perick_2012.decisive_shares import SIMULATIONS
from ramify.experiments.papers.perick_2012.dot_plots import dot_plot
from ramify.experiments.papers.perick_2012.policies import POLICIES
from ramify.experiments.papers.perick_2012.printed_table import consistency, printed_average, row_mean
from ramify.experiments.papers.perick_2012.ranking import agreement, difference
from ramify.experiments.papers.perick_2012.round_robin import RoundRobin

RANKING = "ranking, "  # begins the keys of points at other budgets than that of table II
AGREEMENT = (
    "Intervals of correlations are bootstrapped over games, with their bias taken off and widened by half, because"
    " ranks jump where policies are nearly equal. With few games per pair a correlation looks lower than it is."
)


def ranking(results: Results) -> Findings:
    """At which budget our ranking agrees best with the printed one, and whether the printed table is consistent."""
    texts = ranked_budgets(results.sizes)
    robins = {
        text: RoundRobin.from_results(results, text, "" if text == results.sizes["budgets"] else RANKING)
        for text in texts
    }
    means = {name: row_mean(name) for name in POLICIES}
    averages = {name: printed_average(name).estimate for name in POLICIES}
    by_mean = {text: agreement(robin, means) for text, robin in robins.items()}
    by_average = {text: agreement(robin, averages) for text, robin in robins.items()}
    best = max(by_mean, key=lambda text: by_mean[text].estimate)
    behind = {text: difference(robins[best], robins[text], means) for text in texts if text != best}
    unclear = [_short(text) for text, one in behind.items() if one.low <= 0]
    rows = [
        [
            _short(text),
            str(min(robins[text].games.values())),
            format_interval(by_mean[text], 2),
            format_interval(by_average[text], 2),
            "the best" if text == best else format_interval(behind[text], 2, sign=True),
        ]
        for text in texts
    ]
    printed = sorted(POLICIES, key=lambda name: -means[name])
    orders = zip(*(robins[text].ranked() for text in texts), printed, strict=True)
    exhibit = Exhibit(
        "Ranking",
        f"our ranking agrees best with the printed one at {best}"
        + (f", not clearly better than at {' or '.join(unclear)}" if unclear else ""),
        [],
        [
            DataTable(
                "Spearman's correlation of our averages with the printed table, 95 % intervals, games per pair",
                ["simulations", "games", "row means", "printed averages", "best minus this"],
                rows,
            ),
            DataTable(
                "Rankings by average, highest first",
                [*(_short(text) for text in texts), "printed rows"],
                [[POLICIES[name].label for name in names] for names in orders],
                texts=len(texts) + 1,
            ),
            consistency(),
        ],
        [
            FigureSpec(
                "ranking",
                "Spearman's correlation with the printed table, over simulations per move, 95 % intervals",
                partial(
                    dot_plot,
                    [f"{text} per move" for text in texts],
                    {
                        "with the means of printed rows": list(by_mean.values()),
                        "with printed averages": list(by_average.values()),
                    },
                    "Spearman's correlation of our ranking with the printed one",
                    (min(0.0, *(one.low for one in (*by_mean.values(), *by_average.values()))), 1.02),
                    None,
                ),
            )
        ],
    )
    return Findings([exhibit], [AGREEMENT, SIMULATIONS])


def ranked_budgets(sizes: Mapping[str, str]) -> list[str]:
    """Return all budgets, smallest first."""
    return sorted([sizes["budgets"], *sizes["ranking"].split(", ")], key=lambda text: float(text.split()[0]))


def _short(text: str) -> str:
    return text.removesuffix(" simulations")
