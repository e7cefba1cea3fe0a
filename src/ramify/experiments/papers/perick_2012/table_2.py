"""Table II: twelve policies against each other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ramify.experiments.figures.curves import PUBLISHED
from ramify.experiments.framework.claims import Claim, Test, above, below, equivalent, judge
from ramify.experiments.framework.experiment import Results
from ramify.experiments.framework.findings import Exhibit, FigureSpec, Findings
from ramify.experiments.framework.published_cells import cell_test
from ramify.experiments.papers.perick_2012.decisive_shares import SAYS, SIMULATIONS
from ramify.experiments.papers.perick_2012.dot_plots import dot_plot
from ramify.experiments.papers.perick_2012.policies import DETERMINISTIC, PAIRS, POLICIES, STOCHASTIC
from ramify.experiments.papers.perick_2012.printed_table import (
    contradictory,
    printed_average,
    printed_matrix,
    printed_share,
    row_mean,
)
from ramify.experiments.papers.perick_2012.round_robin import RoundRobin, heat_maps
from ramify.statistics.inference import Interval

CLOSE = 0.1  # "very close": averages differ by less than this (our reading)
FIRST_FOUR = ("ucb1_tuned", "ucb1", "moss", "ucb_minimal")
NOTES = [
    (
        "An average is the mean of a policy's shares over its eleven opponents. The printed averages are not the means"
        " of the printed rows (UCB1-Tuned's row gives 79.2, not 85.11; EXP3's 51.4, not 33.24). Statements are tested"
        " with the means of rows."
    ),
    (
        "Three pairs of the printed table do not add up to 100: UCB-Minimal and Thompson 85.27 + 24.73, EXP3 and"
        " OMC-Det 68.28 + 11.72, UCB-V and OMC-Stoch 39.16 + 40.84. Of the last, each cell says that the other policy"
        " wins, so nothing can be tested. UCB-V is said to be the only deterministic policy that performs badly"
        " against stochastic ones, but in the table OMC-Det loses to three of them, as UCB-V does, and MOSS and"
        " UCB-Minimal to one each."
    ),
    (
        "The paper does not print the initial cells and directions, what happens when all moves are dead ends, or"
        " EXP3's eta, which is gamma / K here. MOSS and Thompson sampling have their usual forms, from which the"
        " printed ones differ by a letter or two: as printed, MOSS always selects the best mean, and Thompson sampling"
        " counts the node's visits for the arm's. The three policies that compare values use mean times visits, as"
        " printed."
    ),
    SIMULATIONS,
]


def table_2(results: Results) -> Findings:
    """Table II at its budget: what the text says about it, and every pair."""
    text = results.sizes["budgets"]
    robin = RoundRobin.from_results(results, text)
    measured = f"measured, {text} per move"
    exhibit = Exhibit(
        "Table II",
        f"twelve policies against each other, {text} per move",
        [*_claims(robin), *_pair_claims(robin)],
        [
            robin.table(f"Percent of decisive games won by the row, {text} per move"),
            robin.averages(
                "Averages with 95 % intervals, published averages, ratings, share of decisive games",
                {name: f"{100 * printed_average(name).estimate:.2f}" for name in POLICIES},
            ),
        ],
        [
            FigureSpec(
                "table-2",
                f"Shares of decisive games, {text} per move, and as printed",
                partial(heat_maps, {measured: robin.matrix(), "published, 100 ms per move": printed_matrix()}),
            ),
            FigureSpec(
                "averages",
                "Averages over opponents with 95 % intervals, and the means of the printed rows",
                partial(
                    dot_plot,
                    [POLICIES[name].label for name in POLICIES],
                    {
                        f"measured, {text}": [robin.average(name) for name in POLICIES],
                        PUBLISHED: [Interval(*[row_mean(name)] * 3) for name in POLICIES],
                    },
                    "share of decisive games won",
                ),
            ),
        ],
        assumed_settings="where the riders start, and that they have no direction at first; EXP3's eta",
    )
    return Findings([exhibit], NOTES)


def _claims(robin: RoundRobin) -> Iterator[Claim]:
    """Yield claims on what the text says about table II."""

    def label(name: str) -> str:
        return POLICIES[name].label

    def higher(first: str, *others: str) -> list[Test]:
        return [above(robin.lead(first, other), 0.0, f"{label(first)} minus {label(other)}") for other in others]

    def close(first: str, *others: str) -> list[Test]:
        return [
            equivalent(robin.lead(first, other), CLOSE, f"{label(first)} minus {label(other)}", 0.0) for other in others
        ]

    rest = [name for name in POLICIES if name != "ucb1_tuned"]
    yield Claim(
        "UCB1-Tuned: its average is higher than every other",
        SAYS["ucb1-tuned-first"],
        judge(*higher("ucb1_tuned", *rest)),
    )
    yield Claim(
        "UCB1-Tuned: a share above 0.5 against each of them",
        SAYS["ucb1-tuned-beats-all"],
        judge(*(above(robin.score("ucb1_tuned", one), 0.5, f"the share against {label(one)}") for one in rest)),
    )
    yield Claim(
        "the averages of UCB1-Tuned, UCB1 and MOSS are higher than those of all stochastic policies",
        SAYS["three-best"],
        judge(*(test for one in ("ucb1_tuned", "ucb1", "moss") for test in higher(one, *STOCHASTIC))),
    )
    drawn = [name for name in STOCHASTIC if name != "random"]
    weights = {name: 1 / len(DETERMINISTIC) for name in DETERMINISTIC} | {name: -1 / len(drawn) for name in drawn}
    yield Claim(
        "the averages of deterministic policies have a higher mean than those of stochastic ones without Random",
        SAYS["deterministic"],
        judge(above(robin.combined(weights), 0.0, "the difference of the means")),
    )
    yield Claim(
        "OMC-Det: a higher average than OMC-Stoch, and a share above 0.5 against it",
        SAYS["omc"],
        judge(
            *higher("omc_deterministic", "omc_stochastic"),
            above(robin.score("omc_deterministic", "omc_stochastic"), 0.5, "the share"),
        ),
    )
    deterministic = [name for name in DETERMINISTIC if name != "ucb_v"]
    yield Claim(
        "UCB-V: its average is lower than those of all other deterministic policies",
        SAYS["ucb-v"],
        judge(*(below(robin.lead("ucb_v", one), 0.0, f"UCB-V minus {label(one)}") for one in deterministic)),
    )
    yield Claim(
        f"UCB-Minimal: its average differs from those of UCB1 and MOSS by less than {CLOSE}",
        SAYS["ucb-minimal"],
        judge(*close("ucb_minimal", "ucb1", "moss")),
    )
    yield Claim(
        "UCB1 has a higher average than MOSS, MOSS than UCB-Minimal, and UCB-Minimal than all others but UCB1-Tuned",
        SAYS["first-four"],
        judge(
            *higher("ucb1", "moss"),
            *higher("moss", "ucb_minimal"),
            *higher("ucb_minimal", *(name for name in POLICIES if name not in FIRST_FOUR)),
        ),
    )
    yield Claim(
        "the mean share against stochastic policies is below 0.5 for UCB-V and above it for other deterministic ones",
        SAYS["ucb-v-stochastic"],
        judge(
            *(
                (below if name == "ucb_v" else above)(robin.mean_share(name, STOCHASTIC), 0.5, label(name))
                for name in DETERMINISTIC
            )
        ),
    )
    yield Claim(
        f"UCB1-Tuned: its average differs from that of UCB1 by less than {CLOSE}",
        SAYS["shortly-followed"],
        judge(*close("ucb1_tuned", "ucb1")),
    )
    yield Claim(
        f"UCB1-Tuned: its average differs from those of MOSS and UCB-Minimal by less than {CLOSE}",
        SAYS["closely-followed"],
        judge(*close("ucb1_tuned", "moss", "ucb_minimal")),
    )
    yield Claim(
        "the averages of Thompson sampling and epsilon-greedy are higher than those of OMC-Det and UCB-V",
        SAYS["averages"],
        judge(*(test for one in ("thompson", "epsilon_greedy") for test in higher(one, "omc_deterministic", "ucb_v"))),
    )


def _pair_claims(robin: RoundRobin) -> Iterator[Claim]:
    """Yield a claim per pair of table II whose two cells do not contradict each other."""
    for first, second in PAIRS:
        if contradictory(first, second):
            continue
        test, words = cell_test(printed_share(first, second), robin.score(first, second), POLICIES[second].label)
        name = f"table-2-{first}-{second}".replace("_", "-")
        yield Claim(f"{POLICIES[first].label}: {words}", SAYS[name], judge(test))
