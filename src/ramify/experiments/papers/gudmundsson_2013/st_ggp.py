"""The sufficiency threshold in a general game player, by rulesheets: Gudmundsson and Björnsson 2013, table 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.figures.curves import Curve, Panel, panels
from ramify.experiments.framework import published
from ramify.experiments.framework.claims import OURS, Claim, Source, Test, above, judge, unmeasured
from ramify.experiments.framework.estimates import Estimate, format_interval, share_difference
from ramify.experiments.framework.experiment import Experiment, Point, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.framework.published_cells import BETTER, cell_test, percent, shows
from ramify.experiments.papers.gudmundsson_2013.paper import PAPER, SHORT
from ramify.experiments.trials.paired_games import PairedGames, paired_results, score_estimate

GAMES = ("runners", "chomp", "connect4", "breakthrough")  # rulesheets of ours
AT_ONCE = ("runners",)  # where playouts of MAST, which choose for one player, cannot be had
BUDGETS = (500, 1000, 2000, 3000, 5000, 10_000)
BELOW, ABOVE = "below", "above"  # thresholds of ``cadiaplayer``
TAILS = {BELOW: "the tail below the difference", ABOVE: "the tail above it, as printed"}
WINDOW = (1000, 2000, 3000)  # simulations at which Breakthrough gains
MARGIN = 0.05  # of a score: what counts as harm is more, since 400 games show no less

Sizes = Mapping[str, Mapping[int, int]]  # pairs of games, by game and simulations
Cells = dict[tuple[str, int, str], Estimate]  # by game, simulations and tail

# At the scale quick: most pairs where the paper sees a gain. A pair takes about 2 s of a processor in Breakthrough at
# 1000 simulations, 0.4 s in Connect 4, 0.2 s in Runners and 0.1 s in Chomp, and as much more as there are simulations.
QUICK_PAIRS: Sizes = {
    "runners": {1000: 100, 3000: 100},
    "chomp": {1000: 150, 3000: 150},
    "connect4": {1000: 100, 3000: 50},
    "breakthrough": {500: 40, 1000: 120, 2000: 80, 3000: 50},
}
PAPER_PAIRS = 200


def player(game: str, threshold: str = "") -> str:
    """CadiaPlayer with a threshold, or without one."""
    given = [f"threshold={threshold}"] if threshold else []
    given += ["playout=uniform"] if game in AT_ONCE else []
    return f"cadiaplayer({', '.join([*given, 'batch_size=1'])})"


def measured(pairs: Sizes, printed: Sequence[str]) -> Iterator[tuple[str, int, str]]:
    """The cells: all with the tail below, some games also with the tail above, as printed."""
    for game, budgets in pairs.items():
        for simulations in budgets:
            yield game, simulations, BELOW
            if game in printed:
                yield game, simulations, ABOVE


def key(game: str, simulations: int, tail: str) -> str:
    """The name of a point."""
    return f"{game} {simulations} {tail}"


def points(pairs: Sizes, printed: Sequence[str]) -> list[Point]:
    """Games of every cell; both tails meet the same opponent with the same luck."""
    return [
        Point(
            key(game, simulations, tail),
            PairedGames(
                f"gdl:{game}",
                player(game, tail),
                player(game),
                PlayerLimits(simulations=simulations),
                opening_plies=0,
            ),
            pairs[game][simulations],
            stream=f"{game} {simulations}",
        )
        for game, simulations, tail in measured(pairs, printed)
    ]


def findings(results: Results) -> Findings:
    """Scores beside the published ones with either tail, what the text says of them, and which tail is stronger."""
    pairs, printed = results.sizes["pairs"], results.sizes["printed"]
    cells = {one: score_estimate(paired_results(results[key(*one)])) for one in measured(pairs, printed)}
    exhibits = [_exhibit(tail, cells) for tail in TAILS]
    return Findings([*exhibits, _tails(cells)], [*NOTES, _counted(pairs)])


def _counted(pairs: Sizes) -> str:
    told = (
        f"{game} {', '.join(f'{n} at {simulations:,}' for simulations, n in pairs[game].items())}" for game in pairs
    )
    return f"Pairs of games for each cell: {'; '.join(told)}."


NOTES = [
    (
        "CadiaPlayer as its public version of 2012 has it, which holds no threshold: UCT with C = 40 on goals from 0 to"
        " 100, MAST by Gibbs sampling at a temperature of 10 with 100 for moves not seen, results discounted by 0.999 a"
        " ply, the tree kept, the move of highest mean. Moves of the tree that were not tried yet are drawn evenly;"
        " there MAST draws them, too."
    ),
    (
        "In Runners both move at once, and both are searched so: each chooses by its own sums, as in CadiaPlayer, and"
        " so does the threshold at the seat of the player who searches. MAST, which here chooses for one player to"
        " move, is left out: playouts are uniform on both sides. Rules of Runners are a reconstruction."
    ),
    (
        "Both sides search one simulation at a time ('batch_size=1'): a batch of simulations in flight would cost the"
        " side that has one a little strength."
    ),
    (
        "The threshold is unplugged by the normal law of the differences between the best mean and d. The paper prints"
        " the tail above the present difference, which unplugs less the better the move looks; the other tail is our"
        " default."
    ),
    (
        f"'Not harmful' is tested as a score above {0.5 - MARGIN:g}. Where a published interval includes or touches"
        " 50 %, the paper shows no clear difference; such cells are judged by that alone."
    ),
]


def printed_cell(game: str, simulations: int) -> Estimate | None:
    """The published figure; there is none of Breakthrough at 10 000."""
    row = next(one for one in published.table("st_table1") if one["game"] == game)
    return published.percentage(row[str(simulations)])


def _exhibit(tail: str, cells: Cells) -> Exhibit:
    own = {(game, simulations): score for (game, simulations, one), score in cells.items() if one == tail}
    rows = [
        [
            game,
            f"{simulations:,}",
            format_interval(score),
            percent(found) if (found := printed_cell(game, simulations)) else "",
        ]
        for (game, simulations), score in own.items()
    ]
    return Exhibit(
        f"Table 1, {tail}",
        f"CadiaPlayer with a sufficiency threshold against itself without, {TAILS[tail]}",
        list(_claims(own)),
        [DataTable("Score with the threshold, with 95 %", ["game", "simulations", "measured", "published"], rows)],
        [
            FigureSpec(
                f"table-1-{tail}",
                f"Score of CadiaPlayer with a sufficiency threshold by simulations, {TAILS[tail]}",
                partial(_figure, own),
            )
        ]
        if own
        else [],
        assumed_settings="openings (here none), and which enhancements of CadiaPlayer were on",
    )


def _claims(own: Mapping[tuple[str, int], Estimate]) -> Iterator[Claim]:
    """Cells that gain, the window of Breakthrough, and that no game is harmed."""

    def source(says: str) -> Source:
        return Source(SHORT, "4.3", says, "Table 1")

    for (game, simulations), score in own.items():
        figure = printed_cell(game, simulations)
        if figure is not None and shows(figure) == BETTER:
            test, sentence = cell_test(figure, score)
            says = f"{game} at {simulations:,} simulations: {percent(figure)} % with the threshold"
            yield Claim(f"{game} at {simulations:,}: {sentence}", source(says), judge(test))
    yield Claim(
        f"breakthrough: stronger than without at {', '.join(map('{:,}'.format, WINDOW))} simulations each",
        source(
            "there are windows of simulations where the threshold improves the player; Breakthrough at 1000 to 3000"
        ),
        judge(*(_wanted(own, "breakthrough", simulations, 0.5) for simulations in WINDOW)),
    )
    for game in dict.fromkeys(game for game, _ in own):
        budgets = [simulations for one, simulations in own if one == game]
        yield Claim(
            f"{game}: a score above {0.5 - MARGIN:g} at every budget",
            source("outside these windows it does not seem harmful; it was never harmful"),
            judge(*(_wanted(own, game, simulations, 0.5 - MARGIN) for simulations in budgets)),
        )


def _wanted(own: Mapping[tuple[str, int], Estimate], game: str, simulations: int, bound: float) -> Test:
    score = own.get((game, simulations))
    if score is None:
        return unmeasured(f"this scale has no {game} at {simulations:,} simulations with this tail")
    return above(score, bound, f"the score at {simulations:,}")


def _tails(cells: Cells) -> Exhibit:
    """Which of the tails is stronger against the same opponent."""
    gains = {
        (game, simulations): share_difference(score, cells[game, simulations, ABOVE])
        for (game, simulations, tail), score in cells.items()
        if tail == BELOW and (game, simulations, ABOVE) in cells
    }
    tests = [above(gain, 0.0, f"below less above at {n:,}") for (game, n), gain in gains.items() if game == GAMES[-1]]
    rows = [[game, f"{simulations:,}", format_interval(gain, sign=True)] for (game, simulations), gain in gains.items()]
    return Exhibit(
        "The two tails",
        "whether to unplug exploration the more, or the less, the better a move looks",
        [Claim("breakthrough: the tail below scores higher than the tail above, at every budget", OURS, judge(*tests))],
        [
            DataTable(
                "Score with the tail below less that with the tail above", ["game", "simulations", "measured"], rows
            )
        ],
    )


def _figure(own: Mapping[tuple[str, int], Estimate]) -> bytes:
    """A panel for each game: measured and published by simulations."""
    given = []
    for game in dict.fromkeys(game for game, _ in own):
        budgets = [simulations for one, simulations in own if one == game]
        known = [(n, found) for n in BUDGETS if (found := printed_cell(game, n))]
        curves = [
            Curve.from_intervals("measured", budgets, [own[game, simulations] for simulations in budgets]),
            Curve.from_intervals("published", [n for n, _ in known], [found for _, found in known]),
        ]
        given.append(Panel(game, curves, "simulations a move", "score with ST", powers=True, levels=(0.5,)))
    return panels(given, columns=2)


EXPERIMENT = Experiment(
    id="st-ggp",
    paper=PAPER,
    part="table 1",
    shows="Whether a sufficiency threshold makes a general game player stronger, by rulesheets, and never weaker.",
    setup="CadiaPlayer with the threshold against itself without, at a fixed number of simulations a move, by pairs of"
    " games with swapped seats from the start; the notes say how many.",
    scales={
        "smoke": Scale({"pairs": {game: {500: 1} for game in GAMES}, "printed": ("breakthrough",)}, 10),
        "quick": Scale({"pairs": QUICK_PAIRS, "printed": ("breakthrough",)}, 900),
        "paper": Scale(
            {
                "pairs": {game: dict.fromkeys(BUDGETS, PAPER_PAIRS) for game in GAMES},
                "printed": GAMES,
            },
            60_000,
        ),
    },
    points=points,
    findings=findings,
)
