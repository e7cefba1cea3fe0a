"""Section V-A: whether UCT is stronger with a heuristic for playouts than with purely random ones."""

from __future__ import annotations

from functools import partial

from ramify.experiments.figures.curves import PUBLISHED
from ramify.experiments.framework.claims import Claim, above, judge, matches_published
from ramify.experiments.framework.experiment import Results
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.framework.published import percentage
from ramify.experiments.papers.perick_2012.decisive_shares import SAYS, SIMULATIONS, cells, won
from ramify.experiments.papers.perick_2012.dot_plots import dot_plot

# UCT's constant -> the paper's UCT, before its constant was tuned and after.
UCT = {"C = 2": "tron_ucb1(tuned=false, playout={playout})", "C = 3.52": "tron_ucb1(playout={playout})"}
# Readings of "purely random simulations": the first is the main one.
RANDOM = {"reckless": "not backwards, walls lose", "uniform": "legal moves"}
PUBLISHED_HEURISTIC = "93.42±0.5"
LIKE_PRINTED = 0.05  # tolerance of the heuristic's share


def heuristic_key(playout: str, constant: str) -> str:
    return f"heuristic against {playout} playouts, {constant}"


def heuristic(results: Results) -> Findings:
    """Section V-A: the heuristic against two readings of purely random playouts, with both constants of UCT."""
    text = results.sizes["budgets"]
    found = {(playout, c): won(results, f"{heuristic_key(playout, c)}, {text}") for playout in RANDOM for c in UCT}
    printed = percentage(PUBLISHED_HEURISTIC)
    assert printed is not None
    claims = []
    for (playout, c), (score, _) in found.items():
        main = (playout, c) == (next(iter(RANDOM)), next(iter(UCT)))
        reading = "" if main else f"{RANDOM[playout]}; {c}"
        claims += [
            Claim(
                "the heuristic wins more than half of the games",
                SAYS["heuristic"],
                judge(above(score, 0.5, "the share")),
                reading=reading,
            ),
            Claim(
                f"the heuristic's share is as printed, within {LIKE_PRINTED}",
                SAYS["heuristic-share"],
                judge(matches_published(score, printed, LIKE_PRINTED)),
                reading=reading,
            ),
        ]
    exhibit = Exhibit(
        "Heuristic",
        f"UCT with the heuristic against UCT with random playouts, {text} per move",
        claims,
        [
            DataTable(
                "Share of decisive games won by the heuristic, 95 % intervals",
                ["random playouts draw", "UCT", "measured", "published", "decisive"],
                [[RANDOM[playout], c, *cells(score[0], "0.934"), score[1]] for (playout, c), score in found.items()],
                texts=2,
            )
        ],
        [
            FigureSpec(
                "heuristic",
                "Share of decisive games won by the heuristic, by reading of random playouts, and as printed",
                partial(
                    dot_plot,
                    [f"{RANDOM[playout]}\n{c}" for playout, c in found],
                    {"measured": [score for score, _ in found.values()], PUBLISHED: [printed] * len(found)},
                    "share of decisive games won",
                ),
            )
        ],
        assumed_settings="UCT's constant (C = 2, as for the reference opponent, decides) and the moves of purely"
        " random playouts (the first line decides)",
    )
    return Findings([exhibit], [SIMULATIONS])
