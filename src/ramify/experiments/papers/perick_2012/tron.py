"""Twelve selection policies at Tron, a game with simultaneous moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from ramify.experiments.figures.curves import PUBLISHED
from ramify.experiments.framework.claims import OURS, Claim, Test, above, below, equivalent, judge, matches_published
from ramify.experiments.framework.estimates import Estimate, format_interval, share
from ramify.experiments.framework.experiment import Experiment, Part, Point, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.framework.published import percentage
from ramify.experiments.framework.published_cells import cell_test
from ramify.experiments.framework.statements import statements
from ramify.experiments.papers.perick_2012.decisive import DecisiveGames
from ramify.experiments.papers.perick_2012.dot_plots import dot_plot
from ramify.experiments.papers.perick_2012.policies import (
    CHUNK,
    DETERMINISTIC,
    PAIRS,
    PAPER,
    POLICIES,
    STOCHASTIC,
    budget,
    pair_points,
)
from ramify.experiments.papers.perick_2012.printed_table import (
    consistency,
    contradictory,
    printed_average,
    printed_matrix,
    printed_share,
    row_mean,
)
from ramify.experiments.papers.perick_2012.ranking import agreement, difference
from ramify.experiments.papers.perick_2012.round_robin import RoundRobin, heat_maps, total
from ramify.statistics.inference import Interval

AGENTS = {name: f"tron_{name}" for name in POLICIES}
SAYS = statements("perick_2012")
# UCT's constant -> the paper's UCT, before its constant was tuned and after.
UCT = {"C = 2": "tron_ucb1(tuned=false, playout={playout})", "C = 3.52": "tron_ucb1(playout={playout})"}
# Readings of "purely random simulations": the first is the main one.
RANDOM = {"reckless": "not backwards, walls lose", "uniform": "legal moves"}
PUBLISHED_HEURISTIC = "93.42±0.5"
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
CLOSE = 0.1  # "very close": averages differ by less than this (our reading)
LIKE_PRINTED = 0.05  # tolerance of the heuristic's share
FIRST_FOUR = ("ucb1_tuned", "ucb1", "moss", "ucb_minimal")
RANKING = "ranking, "  # of points at other budgets than that of table II


def points(
    decisive: int, longest: int, more: int, playouts: int, budgets: str, ranking: str, game: str = "tron"
) -> list[Point]:
    """Return the round robin at every budget, and all other comparisons at the budget of table II.

    ``ranking`` lists the other budgets; the last of them is played ``longest`` times per pair.
    """
    limits = budget(budgets)
    others = ranking.split(", ")

    def point(key: str, first: str, second: str, games: int) -> Point:
        return Point(f"{key}, {budgets}", DecisiveGames(game, first, second, limits), games, CHUNK)

    return [
        *(
            point(heuristic_key(playout, c), uct.format(playout="heuristic"), uct.format(playout=playout), playouts)
            for playout in RANDOM
            for c, uct in UCT.items()
        ),
        *pair_points(game, AGENTS, decisive, budgets),
        *(one for text in others[:-1] for one in pair_points(game, AGENTS, decisive, text, RANKING)),
        *pair_points(game, AGENTS, longest, others[-1], RANKING, chunk=1),  # a game takes several seconds
        *(
            point(f"{switch} {name}", first.format(name=name), second.format(name=name), more)
            for (name, switch), (first, second, *_) in READINGS.items()
        ),
        *(point(f"script {name}", agent, "scripted", more) for name, agent in AGENTS.items()),
    ]


def heuristic_key(playout: str, constant: str) -> str:
    return f"heuristic against {playout} playouts, {constant}"


def is_pair(key: str) -> bool:
    """Whether a point belongs to a round robin."""
    return " - " in key


def heuristic(results: Results) -> Findings:
    """Section V-A: the heuristic against two readings of purely random playouts, with both constants of UCT."""
    text = results.sizes["budgets"]
    found = {(playout, c): _won(results, f"{heuristic_key(playout, c)}, {text}") for playout in RANDOM for c in UCT}
    printed = percentage(PUBLISHED_HEURISTIC)
    assert printed is not None
    claims = []
    for (playout, c), (won, _) in found.items():
        main = (playout, c) == (next(iter(RANDOM)), next(iter(UCT)))
        reading = "" if main else f"{RANDOM[playout]}; {c}"
        claims += [
            Claim(
                "the heuristic wins more than half of the games",
                SAYS["heuristic"],
                judge(above(won, 0.5, "the share")),
                reading=reading,
            ),
            Claim(
                f"the heuristic's share is as printed, within {LIKE_PRINTED}",
                SAYS["heuristic-share"],
                judge(matches_published(won, printed, LIKE_PRINTED)),
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
                [[RANDOM[playout], c, *_cells(won[0], "0.934"), won[1]] for (playout, c), won in found.items()],
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
                    {"measured": [won for won, _ in found.values()], PUBLISHED: [printed] * len(found)},
                    "share of decisive games won",
                ),
            )
        ],
        assumed_settings="UCT's constant (C = 2, as for the reference opponent, decides) and the moves of purely"
        " random playouts (the first line decides)",
    )
    return Findings([exhibit], [SIMULATIONS])


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


def others(results: Results) -> Findings:
    """Readings of the printed formulas against each other, and every policy against the script."""
    return Findings(list(_others(results, results.sizes["budgets"])))


def findings(results: Results) -> Findings:
    """Combine all parts."""
    made = [one.findings(results) for one in (*PARTS.values(),)]
    exhibits = [exhibit for one in made for exhibit in one.exhibits]
    return Findings(exhibits, list(dict.fromkeys(note for one in made for note in one.notes)))


SIMULATIONS = (
    "A thinking time of 100 ms is a different budget on every machine and for every policy; the paper does not say how"
    " many simulations it allowed. With a fixed number of simulations a slower policy has an advantage that it does not"
    " have with a clock."
)
AGREEMENT = (
    "Intervals of correlations are bootstrapped over games, with their bias taken off and widened by half, because"
    " ranks jump where policies are nearly equal. With few games per pair a correlation looks lower than it is."
)
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


def _won(results: Results, key: str) -> tuple[Estimate, str]:
    """Return the share of decisive games that the first player won, and how many games were decisive."""
    wins, losses, draws = (total(results[key], name) for name in ("wins", "losses", "draws"))
    return share(wins, wins + losses), f"{100 * (wins + losses) / max(wins + losses + draws, 1):.0f} %"


def _others(results: Results, text: str) -> Iterator[Exhibit]:
    """Yield the comparisons that the paper does not make."""
    readings = {one: _won(results, f"{one[1]} {one[0]}, {text}") for one in READINGS}
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
                    [POLICIES[name].label, switch, *READINGS[name, switch][2:], *_cells(*found)]
                    for (name, switch), found in readings.items()
                ],
                texts=4,
            )
        ],
    )
    scripted = {name: _won(results, f"script {name}, {text}") for name in POLICIES}
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
                [[POLICIES[name].label, *_cells(*found)] for name, found in scripted.items()],
            )
        ],
    )


def _cells(found: Estimate, text: str) -> tuple[str, str]:
    return format_interval(found), text


PARTS = {
    "heuristic": Part(
        "section V-A",
        "Whether UCT at Tron is stronger with a heuristic for playouts than with purely random ones.",
        lambda key: key.startswith("heuristic "),
        heuristic,
    ),
    "table-2": Part(
        "table II",
        "Which of twelve selection policies is best at Tron.",
        lambda key: is_pair(key) and RANKING not in key,
        table_2,
    ),
    "ranking": Part(
        "table II at several budgets",
        "At which budget our ranking of the policies agrees best with the printed one.",
        is_pair,
        ranking,
    ),
    "readings": Part(
        "section IV",
        "What other readings of the printed formulas change, and how strong the policies are against a script.",
        lambda key: not is_pair(key) and not key.startswith("heuristic "),
        others,
    ),
}

EXPERIMENT = Experiment(
    id="tron",
    paper=PAPER,
    part="section V-A and table II",
    shows="Which of twelve selection policies is best at Tron, a game with simultaneous moves.",
    setup="Every policy against every other at Tron with the tuned constants of table I, until {decisive} games of"
    " each pair are decisive, with {budgets} per move, and for rankings with {ranking} ({longest} games of each pair"
    " with the largest); draws are played again, as in the paper. {playouts} decisive games for each reading of the"
    " heuristic's rival, {more} for each other comparison.",
    scales={
        "smoke": Scale(
            {
                "decisive": 1,
                "longest": 1,
                "more": 1,
                "playouts": 2,
                "budgets": "30 simulations",
                "ranking": "10 simulations",
                "game": "tron(rows=6, columns=6)",
            },
            10,
        ),
        "quick": Scale(
            {
                "decisive": 40,
                "longest": 5,
                "more": 40,
                "playouts": 100,
                "budgets": "1000 simulations",
                "ranking": "20 simulations, 100 simulations, 10000 simulations",
            },
            2000,
        ),
        "paper": Scale(
            {
                "decisive": 10_000,
                "longest": 10_000,
                "more": 10_000,
                "playouts": 10_000,
                "budgets": "1000 simulations",
                "ranking": "20 simulations, 100 simulations, 10000 simulations",
            },
            2_500_000,
        ),
    },
    points=points,
    findings=findings,
    parts=PARTS,
)
