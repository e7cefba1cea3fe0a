"""The sufficiency threshold in a general game player, with rulesheets: section 4.3, table 1 and figures 7 and 8."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.figures.curves import Curve, Panel, panels
from ramify.experiments.framework import published
from ramify.experiments.framework.claims import OURS, Claim, Test, above, judge, unmeasured
from ramify.experiments.framework.estimates import Estimate, format_interval, share_difference
from ramify.experiments.framework.experiment import Experiment, Part, Point, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.framework.published_cells import cell_test, mean_of, percent
from ramify.experiments.framework.statements import statements
from ramify.experiments.papers.gudmundsson_2013.figure_7 import DIFFERENCES, difference_points, figure_7
from ramify.experiments.papers.gudmundsson_2013.paper import FOLDER, PAPER
from ramify.experiments.papers.gudmundsson_2013.threshold_readings import (
    ALL_BELOW,
    ALL_NODES,
    BELOW,
    PRINTED,
    READINGS,
    WHOLE_GAME,
)
from ramify.experiments.trials.paired_games import PairedGames, paired_results, score_estimate

RUNNERS, CHOMP, CONNECT4, BREAKTHROUGH = GAMES = ("runners", "chomp", "connect4", "breakthrough")  # rulesheets
SIMULTANEOUS = (RUNNERS,)  # MAST playouts, which choose for one player, are not available here
BUDGETS = (500, 1000, 2000, 3000, 5000, 10_000)
WINDOW = (1000, 2000, 3000)  # simulations at which Breakthrough gains
SMALL_BRANCHING = (CONNECT4, RUNNERS)
HARM = 0.05  # a loss of score above this counts as harm; 400 games cannot show a smaller one

Sizes = Mapping[str, Mapping[str, Mapping[int, int]]]  # pairs of games by reading, game and simulations
Cells = Mapping[tuple[str, int], Estimate]  # by game and simulations

# At the scale quick, most pairs for the main reading, and where a pair is cheap. At 1000 simulations a pair takes about
# 2 s of CPU time in Breakthrough, 0.4 s in Connect 4, 0.2 s in Runners and 0.1 s in Chomp; more simulations in
# proportion.
QUICK_READING: Mapping[str, Mapping[int, int]] = {
    RUNNERS: {1000: 60, 3000: 40},
    CHOMP: {1000: 60, 3000: 60},
    CONNECT4: {1000: 40, 3000: 12},
    BREAKTHROUGH: {1000: 30, 3000: 6},
}
QUICK_PAIRS: Sizes = {
    PRINTED: {
        RUNNERS: {500: 100, 1000: 100, 2000: 60, 3000: 100, 5000: 30, 10_000: 15},
        CHOMP: {500: 100, 1000: 100, 2000: 100, 3000: 100, 5000: 60, 10_000: 30},
        CONNECT4: {500: 60, 1000: 60, 2000: 30, 3000: 30, 5000: 12, 10_000: 6},
        BREAKTHROUGH: {500: 30, 1000: 60, 2000: 30, 3000: 20, 5000: 6},
    },
    **dict.fromkeys((BELOW, ALL_NODES, ALL_BELOW), QUICK_READING),
    WHOLE_GAME: {game: {1000: budgets[1000]} for game, budgets in QUICK_READING.items()},
}
PAPER_PAIRS = 200


def player(game: str, reading: str = "") -> str:
    """CadiaPlayer, with the threshold if a reading of it is named."""
    given = [READINGS[reading]] if reading else []
    given += ["playout=uniform"] if game in SIMULTANEOUS else []
    return f"cadiaplayer({', '.join([*given, 'batch_size=1'])})"


def cell_key(game: str, simulations: int, reading: str) -> str:
    return f"{game} {simulations} {reading}"


def points(pairs: Sizes, searches: int) -> list[Point]:
    """Return a point per cell and reading, and one per game for figure 7.

    All readings meet the same opponent with the same random numbers.
    """
    cells = [
        Point(
            cell_key(game, simulations, reading),
            PairedGames(
                f"gdl:{game}",
                player(game, reading),
                player(game),
                PlayerLimits(simulations=simulations),
                opening_plies=0,
            ),
            count,
            stream=f"{game} {simulations}",
        )
        for reading, games in pairs.items()
        for game, budgets in games.items()
        for simulations, count in budgets.items()
    ]
    return cells + difference_points({game: player(game, PRINTED) for game in GAMES}, searches)


def cells_of(results: Results, reading: str) -> Cells:
    """Return the scores of a reading that were measured."""
    return {
        (game, simulations): score_estimate(paired_results(results[key]))
        for game, budgets in results.sizes["pairs"].get(reading, {}).items()
        for simulations in budgets
        if (key := cell_key(game, simulations, reading)) in results
    }


def findings(results: Results) -> Findings:
    """Return the findings of all parts, with the notes."""
    parts = (table_1(results), figure_7(results), figure_8(results))
    return Findings([one for part in parts for one in part.exhibits], [*NOTES, _counted(results.sizes["pairs"])])


def table_1(results: Results) -> Findings:
    """Return scores beside the published ones, verdicts on cells and text, and the other readings."""
    scores = {reading: cells_of(results, reading) for reading in READINGS}
    main = scores[PRINTED]
    claims = [*_cell_claims(main), _never_harmful(main), _branching(main)]
    others = [
        claim
        for reading in list(READINGS)[1:]
        if scores[reading]
        for claim in (*_cell_claims(scores[reading], reading), _never_harmful(scores[reading], reading))
    ]
    words = "Score of CadiaPlayer with a sufficiency threshold by simulations, with 95 % intervals"
    return Findings(
        [
            Exhibit(
                "Table 1",
                "CadiaPlayer with against without a sufficiency threshold",
                claims,
                [_score_table(main)],
                [FigureSpec("table-1", words, partial(_figure_1, main))],
                assumed_settings="openings (here none), and which enhancements of CadiaPlayer were enabled",
            ),
            Exhibit("Table 1, other readings", "which tail, where, and trained by what", others, [_readings(scores)]),
            _comparison(scores),
        ]
    )


def figure_8(results: Results) -> Findings:
    """Return the scores in Breakthrough by simulations, and whether there is a window in which the threshold helps."""
    scores = {cell: score for cell, score in cells_of(results, PRINTED).items() if cell[0] == BREAKTHROUGH}
    claim = Claim(
        f"breakthrough: stronger than without at each of {', '.join(map('{:,}'.format, WINDOW))} simulations",
        statements(FOLDER)["figure-8-window"],
        judge(*(_above(scores, BREAKTHROUGH, simulations, 0.5) for simulations in WINDOW)),
    )
    words = "Figure 8: score of CadiaPlayer with a sufficiency threshold in Breakthrough, with 95 % intervals"
    return Findings(
        [
            Exhibit(
                "Figure 8",
                "score with the threshold in Breakthrough",
                [claim],
                [_score_table(scores)],
                [FigureSpec("figure-8", words, lambda: panels([_panel(scores, BREAKTHROUGH, "Figure 8: ")]))],
            )
        ]
    )


def _counted(pairs: Sizes) -> str:
    def listed(games: Mapping[str, Mapping[int, int]]) -> str:
        return "; ".join(
            f"{game} {', '.join(f'{count} at {simulations:,}' for simulations, count in budgets.items())}"
            for game, budgets in games.items()
        )

    counts = dict.fromkeys(map(listed, pairs.values()))
    named = (f"{', '.join(one for one in pairs if listed(pairs[one]) == count)}: {count}" for count in counts)
    return f"Pairs of games per cell. {'. '.join(named)}."


NOTES = [
    (
        "CadiaPlayer follows its public version of 2012, which has no threshold: UCT with C = 40 on goals from 0 to"
        " 100, MAST by Gibbs sampling at a temperature of 10 with 100 for unseen moves, results discounted by 0.999 per"
        " ply, the tree reused between moves, and the move of highest mean returned. Untried moves of the tree are"
        " drawn uniformly; in CadiaPlayer MAST draws these as well."
    ),
    (
        "Runners has simultaneous moves and is searched as such: each player chooses by its own statistics, as in"
        " CadiaPlayer. At the root the threshold applies to the searching player. MAST, which here chooses for one"
        " player to move, is left out: both players have uniform playouts. The rules of Runners are a reconstruction."
    ),
    (
        "Both players run one simulation at a time ('batch_size=1'), because a batch of simulations would cost the"
        " player that uses one a little strength."
    ),
    (
        "Exploration is switched off with a probability from the normal distribution of the differences between the"
        " best mean and d. As printed that is the tail above the present difference, which switches off less the better"
        " the move looks. 'Our best perceived move' is a statement about the root, so the main reading switches off"
        " exploration at the root only. With 'all nodes' it is off in the whole simulation, also where the opponent"
        " moves, so that refutations are not searched."
    ),
    (
        f"'Never harmful' is tested as a score above {0.5 - HARM:g} in every cell. 'A large branching factor' is tested"
        " as Breakthrough, with some 20 moves, against Connect 4, with at most 7, and Runners, whose branching factor"
        " the paper calls low."
    ),
]


def printed_cell(game: str, simulations: int) -> Estimate | None:
    """Return the published figure, or None if it is not printed (Breakthrough at 10 000)."""
    row = next(one for one in published.table("st_table1") if one["game"] == game)
    return published.percentage(row[str(simulations)])


def _cell_claims(scores: Cells, reading: str = "") -> Iterator[Claim]:
    """Yield a claim for every published cell."""
    for (game, simulations), score in scores.items():
        figure = printed_cell(game, simulations)
        if figure is not None:
            test, sentence = cell_test(figure, score)
            source = statements(FOLDER)[f"table-1-{game}-{simulations}"]
            yield Claim(f"{game} at {simulations:,}: {sentence}", source, judge(test), reading=reading)


def _never_harmful(scores: Cells, reading: str = "") -> Claim:
    return Claim(
        f"a score above {0.5 - HARM:g} in every cell",
        statements(FOLDER)["never-harmful"],
        judge(*(above(score, 0.5 - HARM, f"{game} at {n:,}:") for (game, n), score in scores.items())),
        reading=reading,
    )


def _branching(scores: Cells) -> Claim:
    def average(game: str) -> Estimate | None:
        found = [scores[game, n] for n in WINDOW if (game, n) in scores]
        return mean_of(found) if len(found) == len(WINDOW) else None

    large = average(BREAKTHROUGH)
    tests = [
        above(share_difference(large, small), 0.0, f"breakthrough's mean score minus that of {game}")
        if large and (small := average(game))
        else unmeasured(f"this scale does not have all of these cells of breakthrough and {game}")
        for game in SMALL_BRANCHING
    ]
    return Claim(
        f"breakthrough's mean score at {', '.join(map('{:,}'.format, WINDOW))} simulations is above those of"
        f" {' and '.join(SMALL_BRANCHING)}",
        statements(FOLDER)["large-branching"],
        judge(*tests),
    )


def _above(scores: Cells, game: str, simulations: int, bound: float) -> Test:
    score = scores.get((game, simulations))
    if score is None:
        return unmeasured(f"this scale has no {game} at {simulations:,} simulations")
    return above(score, bound, f"the score at {simulations:,}")


def _comparison(scores: Mapping[str, Cells]) -> Exhibit:
    """Compare readings by their mean scores over the cells that both have."""
    sentences = {
        (PRINTED, ALL_NODES): "with the printed tail, the threshold at the root scores higher than in all nodes",
        (BELOW, ALL_BELOW): "with the tail below, the threshold at the root scores higher than in all nodes",
        (PRINTED, BELOW): "at the root, the printed tail scores higher than the tail below",
        (WHOLE_GAME, PRINTED): "training data of the whole game score higher than those of the search",
    }
    rows, tests = [], {}
    for one, other in sentences:
        cells = [cell for cell in scores[one] if cell in scores[other]]
        if not cells:
            continue
        by_game = {
            game: share_difference(*(mean_of([scores[reading][cell] for cell in here]) for reading in (one, other)))
            for game in GAMES
            if (here := [cell for cell in cells if cell[0] == game])
        }
        pooled = share_difference(*(mean_of([scores[reading][cell] for cell in cells]) for reading in (one, other)))
        tests[one, other] = above(pooled, 0.0, "the mean difference")
        rows += [
            [f"{one} - {other}", game, format_interval(gain, sign=True)]
            for game, gain in {**by_game, "all": pooled}.items()
        ]
    claims = [Claim(f"{sentences[pair]}, on average", OURS, judge(test)) for pair, test in tests.items()]
    return Exhibit(
        "The readings",
        "their scores against the same opponent",
        claims,
        [DataTable("Differences of mean scores over common cells", ["readings", "game", "measured"], rows, texts=2)],
    )


def _score_table(scores: Cells) -> DataTable:
    rows = [
        [
            game,
            f"{simulations:,}",
            format_interval(score),
            percent(found) if (found := printed_cell(game, simulations)) else "",
        ]
        for (game, simulations), score in scores.items()
    ]
    headings = ["game", "simulations", "measured", "published, %"]
    return DataTable("Score with the threshold, 95 % intervals", headings, rows)


def _readings(scores: Mapping[str, Cells]) -> DataTable:
    rows = [
        [
            reading,
            game,
            f"{simulations:,}",
            format_interval(score, 2),
            percent(found) if (found := printed_cell(game, simulations)) else "",
        ]
        for reading, cells in scores.items()
        if reading != PRINTED
        for (game, simulations), score in cells.items()
    ]
    headings = ["reading", "game", "n", "measured", "published"]
    title = "Score with the threshold by reading, at n simulations per move; published in per cent"
    return DataTable(title, headings, rows, texts=2)


def _panel(scores: Cells, game: str, prefix: str = "") -> Panel:
    budgets = [simulations for one, simulations in scores if one == game]
    known = [(n, found) for n in BUDGETS if (found := printed_cell(game, n))]
    curves = [
        Curve.from_intervals("measured", budgets, [scores[game, simulations] for simulations in budgets]),
        Curve.from_intervals("published", [n for n, _ in known], [found for _, found in known]),
    ]
    return Panel(f"{prefix}{game}", curves, "simulations per move", "score with ST", powers=True, levels=(0.5,))


def _figure_1(scores: Cells) -> bytes:
    """Draw a panel per game: measured and published scores by simulations."""
    return panels([_panel(scores, game) for game in dict.fromkeys(game for game, _ in scores)], columns=2)


EXPERIMENT = Experiment(
    id="st-ggp",
    paper=PAPER,
    part="table 1, figures 7 and 8",
    shows="Whether a sufficiency threshold makes a general game player stronger, and never weaker, on rulesheets.",
    setup="CadiaPlayer with against without the threshold, at a fixed number of simulations per move, in pairs of games"
    " with swapped seats from the initial position; the notes say how many. {searches} searches per game for figure 7.",
    scales={
        "smoke": Scale(
            {
                "pairs": {
                    PRINTED: {game: {500: 1} for game in GAMES},
                    **{reading: {CHOMP: {500: 1}} for reading in READINGS if reading != PRINTED},
                },
                "searches": 2,
            },
            10,
        ),
        "quick": Scale({"pairs": QUICK_PAIRS, "searches": 20}, 900),
        "paper": Scale(
            {
                "pairs": {
                    reading: {game: dict.fromkeys(BUDGETS, PAPER_PAIRS) for game in GAMES} for reading in READINGS
                },
                "searches": 100,
            },
            150_000,
        ),
    },
    points=points,
    findings=findings,
    parts={
        "table-1": Part(
            "table 1",
            "CadiaPlayer with against without the threshold in four games.",
            lambda key: not key.startswith(DIFFERENCES),
            table_1,
        ),
        "figure-7": Part(
            "figure 7",
            "How the differences between the best mean and d are distributed.",
            lambda key: key.startswith(DIFFERENCES),
            figure_7,
        ),
        "figure-8": Part(
            "figure 8",
            "The window of simulations in which the threshold improves play in Breakthrough.",
            lambda key: key.startswith(BREAKTHROUGH) and key.endswith(PRINTED),
            figure_8,
        ),
    },
)
