"""The sufficiency threshold in a general game player, with rulesheets: Gudmundsson and Björnsson 2013, table 1."""

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

GAMES = ("runners", "chomp", "connect4", "breakthrough")  # built-in rulesheets
SIMULTANEOUS = ("runners",)  # MAST playouts, which choose for one player, are not available here
BUDGETS = (500, 1000, 2000, 3000, 5000, 10_000)
BELOW, ABOVE = "below", "above"  # thresholds of ``cadiaplayer``
TAILS = {BELOW: "the tail below the difference", ABOVE: "the tail above it, as printed"}
WINDOW = (1000, 2000, 3000)  # simulations at which Breakthrough gains
MARGIN = 0.05  # a loss of score above this counts as harm; 400 games cannot show a smaller one

Sizes = Mapping[str, Mapping[int, int]]  # pairs of games, by game and simulations
Cells = dict[tuple[str, int, str], Estimate]  # by game, simulations and tail

# At the scale quick, most pairs where the paper reports a gain. At 1000 simulations a pair takes about 2 s of CPU time
# in Breakthrough, 0.4 s in Connect 4, 0.2 s in Runners and 0.1 s in Chomp, in proportion to the simulations.
QUICK_PAIRS: Sizes = {
    "runners": {1000: 100, 3000: 100},
    "chomp": {1000: 150, 3000: 150},
    "connect4": {1000: 100, 3000: 50},
    "breakthrough": {500: 40, 1000: 120, 2000: 80, 3000: 50},
}
PAPER_PAIRS = 200


def player(game: str, threshold: str = "") -> str:
    """CadiaPlayer, with a threshold if one is named."""
    given = [f"threshold={threshold}"] if threshold else []
    given += ["playout=uniform"] if game in SIMULTANEOUS else []
    return f"cadiaplayer({', '.join([*given, 'batch_size=1'])})"


def measured(pairs: Sizes, printed: Sequence[str]) -> Iterator[tuple[str, int, str]]:
    """Yield the cells: all games with the tail below, some also with the tail above, as printed."""
    for game, budgets in pairs.items():
        for simulations in budgets:
            yield game, simulations, BELOW
            if game in printed:
                yield game, simulations, ABOVE


def key(game: str, simulations: int, tail: str) -> str:
    return f"{game} {simulations} {tail}"


def points(pairs: Sizes, printed: Sequence[str]) -> list[Point]:
    """Return a point per cell. Both tails meet the same opponent with the same random numbers."""
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
    """Return scores beside published ones for either tail, verdicts on the text, and which tail is stronger."""
    pairs, printed = results.sizes["pairs"], results.sizes["printed"]
    cells = {one: score_estimate(paired_results(results[key(*one)])) for one in measured(pairs, printed)}
    exhibits = [_exhibit(tail, cells) for tail in TAILS]
    return Findings([*exhibits, _tails(cells)], [*NOTES, _counted(pairs)])


def _counted(pairs: Sizes) -> str:
    counts = (
        f"{game} {', '.join(f'{n} at {simulations:,}' for simulations, n in pairs[game].items())}" for game in pairs
    )
    return f"Pairs of games per cell: {'; '.join(counts)}."


NOTES = [
    (
        "CadiaPlayer follows its public version of 2012, which has no threshold: UCT with C = 40 on goals from 0 to"
        " 100, MAST by Gibbs sampling at a temperature of 10 with 100 for unseen moves, results discounted by 0.999 per"
        " ply, the tree reused between moves, and the move of highest mean returned. Untried moves of the tree are"
        " drawn uniformly; in CadiaPlayer MAST draws these as well."
    ),
    (
        "Runners has simultaneous moves and is searched as such: each player chooses by its own statistics, as in"
        " CadiaPlayer, and the threshold applies to the searching player. MAST, which here chooses for one player to"
        " move, is left out: both players have uniform playouts. The rules of Runners are a reconstruction."
    ),
    (
        "Both players run one simulation at a time ('batch_size=1'), because a batch of simulations would cost the"
        " player that uses one a little strength."
    ),
    (
        "The threshold is unplugged with a probability from the normal distribution of the differences between the best"
        " mean and d. The paper prints the tail above the present difference, which unplugs less the better the move"
        " looks; the other tail is our default."
    ),
    (
        f"'Not harmful' is tested as a score above {0.5 - MARGIN:g}. Where a published interval includes or touches"
        " 50 %, the paper shows no clear difference; such cells are judged only by the claim that nothing is harmed."
    ),
]


def printed_cell(game: str, simulations: int) -> Estimate | None:
    """Return the published figure, or None if it is not printed (Breakthrough at 10 000)."""
    row = next(one for one in published.table("st_table1") if one["game"] == game)
    return published.percentage(row[str(simulations)])


def _exhibit(tail: str, cells: Cells) -> Exhibit:
    scores = {(game, simulations): score for (game, simulations, one), score in cells.items() if one == tail}
    rows = [
        [
            game,
            f"{simulations:,}",
            format_interval(score),
            percent(found) if (found := printed_cell(game, simulations)) else "",
        ]
        for (game, simulations), score in scores.items()
    ]
    return Exhibit(
        f"Table 1, {tail}",
        f"CadiaPlayer with against without a sufficiency threshold, {TAILS[tail]}",
        list(_claims(scores)),
        [DataTable("Score with the threshold, 95 % intervals", ["game", "simulations", "measured", "published"], rows)],
        [
            FigureSpec(
                f"table-1-{tail}",
                f"Score of CadiaPlayer with a sufficiency threshold by simulations, {TAILS[tail]}",
                partial(_figure, scores),
            )
        ]
        if scores
        else [],
        assumed_settings="openings (here none), and which enhancements of CadiaPlayer were enabled",
    )


def _claims(scores: Mapping[tuple[str, int], Estimate]) -> Iterator[Claim]:
    """Yield claims on the cells that gain, on the window of Breakthrough, and that no game is harmed."""

    def source(says: str) -> Source:
        return Source(SHORT, "4.3", says, "Table 1")

    for (game, simulations), score in scores.items():
        figure = printed_cell(game, simulations)
        if figure is not None and shows(figure) == BETTER:
            test, sentence = cell_test(figure, score)
            says = f"{game} at {simulations:,} simulations: {percent(figure)} % with the threshold"
            yield Claim(f"{game} at {simulations:,}: {sentence}", source(says), judge(test))
    yield Claim(
        f"breakthrough: stronger than without at each of {', '.join(map('{:,}'.format, WINDOW))} simulations",
        source(
            "there are windows of simulations where the threshold improves the player; Breakthrough at 1000 to 3000"
        ),
        judge(*(_wanted(scores, "breakthrough", simulations, 0.5) for simulations in WINDOW)),
    )
    for game in dict.fromkeys(game for game, _ in scores):
        budgets = [simulations for one, simulations in scores if one == game]
        yield Claim(
            f"{game}: a score above {0.5 - MARGIN:g} at every budget",
            source("outside these windows it does not seem harmful; it was never harmful"),
            judge(*(_wanted(scores, game, simulations, 0.5 - MARGIN) for simulations in budgets)),
        )


def _wanted(scores: Mapping[tuple[str, int], Estimate], game: str, simulations: int, bound: float) -> Test:
    score = scores.get((game, simulations))
    if score is None:
        return unmeasured(f"this scale has no {game} at {simulations:,} simulations with this tail")
    return above(score, bound, f"the score at {simulations:,}")


def _tails(cells: Cells) -> Exhibit:
    """Compare the two tails against the same opponent."""
    gains = {
        (game, simulations): share_difference(score, cells[game, simulations, ABOVE])
        for (game, simulations, tail), score in cells.items()
        if tail == BELOW and (game, simulations, ABOVE) in cells
    }
    tests = [above(gain, 0.0, f"below minus above at {n:,}") for (game, n), gain in gains.items() if game == GAMES[-1]]
    rows = [[game, f"{simulations:,}", format_interval(gain, sign=True)] for (game, simulations), gain in gains.items()]
    return Exhibit(
        "The two tails",
        "whether to unplug exploration more or less the better a move looks",
        [Claim("breakthrough: the tail below scores higher than the tail above, at every budget", OURS, judge(*tests))],
        [
            DataTable(
                "Score with the tail below minus score with the tail above", ["game", "simulations", "measured"], rows
            )
        ],
    )


def _figure(scores: Mapping[tuple[str, int], Estimate]) -> bytes:
    """Draw a panel per game: measured and published scores by simulations."""
    given = []
    for game in dict.fromkeys(game for game, _ in scores):
        budgets = [simulations for one, simulations in scores if one == game]
        known = [(n, found) for n in BUDGETS if (found := printed_cell(game, n))]
        curves = [
            Curve.from_intervals("measured", budgets, [scores[game, simulations] for simulations in budgets]),
            Curve.from_intervals("published", [n for n, _ in known], [found for _, found in known]),
        ]
        given.append(Panel(game, curves, "simulations per move", "score with ST", powers=True, levels=(0.5,)))
    return panels(given, columns=2)


EXPERIMENT = Experiment(
    id="st-ggp",
    paper=PAPER,
    part="table 1",
    shows="Whether a sufficiency threshold makes a general game player stronger, and never weaker, on rulesheets.",
    setup="CadiaPlayer with against without the threshold, at a fixed number of simulations per move, in pairs of games"
    " with swapped seats from the initial position; the notes say how many.",
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
