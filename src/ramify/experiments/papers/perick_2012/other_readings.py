"""Comparisons that the paper does not make: other readings of its formulas, and a script."""

from __future__ import annotations

from collections.abc import Iterator

from ramify.experiments.framework.claims import OURS, Claim, below, judge
from ramify.experiments.framework.experiment import Results
from ramify.experiments.framework.findings import DataTable, Exhibit, Findings
from ramify.experiments.papers.perick_2012.decisive_shares import cells, won
from ramify.experiments.papers.perick_2012.policies import POLICIES

# Policy and switch -> the printed reading and another one.
READINGS = {
    **{
        (name, "deviation"): ("tron_{name}", "tron_{name}(deviation=pooled)", "of children", "pooled")
        for name in ("ucb1_tuned", "ucb_v", "omc_deterministic", "omc_stochastic", "pbbm")
    },
    **{
        (name, "value"): ("tron_{name}", "tron_{name}(value=mean)", "mean times visits", "mean")
        for name in ("omc_deterministic", "omc_stochastic", "pbbm")
    },
    **{
        (name, "formula"): ("tron_{name}(as_printed=true)", "tron_{name}", "as printed", "usual")
        for name in ("moss", "thompson")
    },
}


def others(results: Results) -> Findings:
    """Readings of the printed formulas against each other, and every policy against the script."""
    return Findings(list(exhibits(results, results.sizes["budgets"])))


def exhibits(results: Results, text: str) -> Iterator[Exhibit]:
    """Yield the comparisons that the paper does not make."""
    readings = {one: won(results, f"{one[1]} {one[0]}, {text}") for one in READINGS}
    yield Exhibit(
        "Readings",
        f"the printed formulas against other readings of them, {text} per move",
        [
            Claim(
                "{}, {}: {} is weaker than {}".format(POLICIES[name].label, switch, *READINGS[name, switch][2:]),
                OURS,
                judge(below(found, 0.5, "the share")),
            )
            for (name, switch), (found, _) in readings.items()
            if switch != "deviation"
        ],
        [
            DataTable(
                "Share of decisive games won by the printed reading, 95 % intervals",
                ["policy", "", "printed", "other", "share", "decisive"],
                [
                    [POLICIES[name].label, switch, *READINGS[name, switch][2:], *cells(*found)]
                    for (name, switch), found in readings.items()
                ],
                texts=4,
            )
        ],
    )
    scripted = {name: won(results, f"script {name}, {text}") for name in POLICIES}
    yield Exhibit(
        "Script",
        f"every policy against a rider that plays by Voronoi territory, {text} per move",
        [
            Claim(
                "no policy wins more than half of its games against the script at this budget",
                OURS,
                judge(*(below(found, 0.5, POLICIES[name].label) for name, (found, _) in scripted.items())),
            )
        ],
        [
            DataTable(
                "Share of decisive games won against the script, 95 % intervals",
                ["policy", "share", "decisive"],
                [[POLICIES[name].label, *cells(*found)] for name, found in scripted.items()],
            )
        ],
    )
