"""Bonuses for the quality of simulations in six games: Pepels, Tak, Lanctot and Winands 2014, tables 1, 3 and 4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from ramify.experiments.figures.strips import Strip, strips
from ramify.experiments.framework.claims import OURS, Claim, Source, Test, above, below, judge, unmeasured, within
from ramify.experiments.framework.estimates import Estimate, format_interval, mean_difference, share_difference
from ramify.experiments.framework.experiment import Experiment, Point, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.papers.pepels_2014.cells import (
    CELLS,
    CONTROL_PAIRS,
    DECISIVE_PAIRS,
    FIVE,
    PAPER_PAIRS,
    QUICK_PAIRS,
    SLIP_PAIRS,
    TUNED,
    Cell,
    Scores,
)
from ramify.experiments.papers.pepels_2014.correlations import LENGTH, MEASURES, QUALITY, Correlations, SimulationTrials
from ramify.experiments.papers.pepels_2014.players import (
    BOTH,
    DECISIVE,
    GAMES,
    ONLINE,
    PAPER,
    PRINT,
    QUALITATIVE,
    QUICK_PLAYOUTS,
    RELATIVE,
    REPLACED,
    SHORT,
    SLIP,
    baseline,
)

CLEARLY = 0.55  # a clear win: a score above this
CORRELATED = 0.01  # smallest share of variance that counts as a correlation: |r| = 0.1
LONGER = ("chinese checkers", "cannon", "amazons")  # the paper reports the largest gains, and differences of length
TITLES = {
    1: "the relative bonus against no bonus",
    3: "the qualitative bonus against no bonus",
    4: "both bonuses against no bonus, and quality in place of the result",
}


def correlation_key(game: str) -> str:
    return f"simulations of {game}"


def points(plan: str, games: int, simulations: Mapping[str, int]) -> list[Point]:
    """Return the cells of a plan, and ``games`` self-play games of the baseline per game."""
    watched = [
        Point(
            correlation_key(game),
            SimulationTrials(GAMES[game].rules, baseline(game, TUNED[game]), count),
            games,
        )
        for game, count in simulations.items()
    ]
    return [*(cell.point() for cell in CELLS[plan]), *watched]


def findings(results: Results) -> Findings:
    """Return scores beside the published ones with verdicts, and how length and quality correlate with the outcome."""
    scores = Scores.from_results(results, CELLS[results.sizes["plan"]])
    watched = {game: Correlations.from_point(results[correlation_key(game)]) for game in results.sizes["simulations"]}
    exhibits = [_table(number, scores) for number in TITLES]
    return Findings([*exhibits, _slip(scores), _correlations(watched)], NOTES)


NOTES = [
    (
        "The paper's rewards are -1, 0 and 1, ours 0, 1/2 and 1, so its constants are halved: a = 0.25 is a = 0.125,"
        " and C of UCT is c = C / 2. C was tuned beforehand for each game, without bonuses and with the same effort in"
        " each ('ramify reproduce quality-tuning'). The paper also tuned C but does not print its values. Ours: "
        + "; ".join(f"{game} {c:g}" for game, c in TUNED.items())
        + "."
    ),
    (
        "Rules and playouts are those of the program behind the paper, which the paper does not describe: Amazons 8x8"
        " (the paper says 10x10), Cannon by mate, Checkers with draws, Chinese Checkers without leaving the goal,"
        " Pentalath with swap; a move's weight in a playout depends on what it does. 'decisive' playouts play a winning"
        " move, else prevent one, else play a random move. The program combined MAST with the weights; here 'MAST' is"
        " used alone. All players have the solver."
    ),
    (
        "'slip': the program's table of the sigmoid returns the wrong sign beyond |k x| = 10. 'program': in addition,"
        " bonuses start with the 50th sample of a winner and not in a player's first search, a' is signed and taken"
        " over the whole game, and quality falls linearly where the paper prints an inverse. Otherwise as printed."
        " 'centred', for quality alone: a win is worth q and a loss 1 - q in [0, 1]; otherwise q and -q in [-1, 1]."
    ),
    (
        "Numbers under 'per move' are simulations. Seconds are read as playouts: 1000 per move for 1 s (at the scale"
        " quick 200 in Cannon and 500 in Chinese Checkers, whose playouts take longest), or as many as the program ran"
        " in that time (at the scale quick a tenth of them). Real seconds are played only at the scale paper."
    ),
    (
        "Pairs of games per cell at the scale quick: "
        + ", ".join(f"{game} {pairs}" for game, pairs in QUICK_PAIRS.items())
        + f"; with decisive playouts {SLIP_PAIRS} for the relative bonus and {DECISIVE_PAIRS} for the qualitative one"
        f" ({DECISIVE_PAIRS // FIVE} for 5 s). At the scale paper {PAPER_PAIRS:,}, and {CONTROL_PAIRS} for quality"
        " alone."
    ),
    (
        "Our own claims were fixed with the results of a trial program in view, whose games are not among these. In"
        " Breakthrough with decisive playouts and 1000 simulations, without the solver, it scored 0.62 with the"
        " qualitative bonus, 0.57 with the relative one, and 0.52 with the relative one and the slip."
    ),
    (
        "Where a published interval includes or touches 50 %, the paper shows no clear difference. Such cells are"
        " tested as scores whose distance from 50 % is at most the published half-width."
    ),
]


def _table(number: int, scores: Scores) -> Exhibit:
    cells = scores.table(number)
    claims = [_cell_claim(cell, score) for cell, score in cells.items()]
    rows = [
        [cell.game, cell.how, _column(cell), cell.spent, format_interval(score, 2), _percent(cell.printed())]
        for cell, score in sorted(cells.items(), key=lambda one: one[0].game)
    ]
    return Exhibit(
        f"Table {number}",
        TITLES[number],
        [*claims, *_text_claims(number, scores)],
        [
            DataTable(
                "Score against no bonus, 95 % intervals",
                ["game", "variant", "a", "per move", "measured", "published"],
                rows,
                3,
            )
        ],
        [
            FigureSpec(
                f"table-{number}",
                f"Scores of {TITLES[number].removesuffix(' against no bonus')}, measured and published",
                partial(_figure, number, cells),
            )
        ],
        assumed_settings="openings (here two random plies), C, playouts, and the number of simulations per second",
    )


def _column(cell: Cell) -> str:
    return "q" if cell.kind == REPLACED else "a'" if cell.weight == ONLINE else "0.25"


def _percent(printed: Estimate) -> str:
    return f"{100 * printed.estimate:.1f} ± {100 * (printed.high - printed.estimate):.1f}"


def _cell_claim(cell: Cell, score: Estimate) -> Claim:
    """Return the claim of a published cell: stronger, weaker, or no clear difference."""
    printed = cell.printed()
    what = {RELATIVE: "the relative bonus", QUALITATIVE: "the qualitative bonus", BOTH: "both bonuses"}
    subject = what.get(cell.kind, "quality in place of the result")
    weight = "" if cell.kind == REPLACED else f" with {cell.weight}"
    says = f"{cell.game}, {cell.seconds} s: {subject}{weight} wins {_percent(printed)} %"
    test, sentence = _cell_test(printed, score)
    spent = f"{cell.spent} simulations" if cell.limits.simulations else cell.spent
    how = f" ({cell.how})" if cell.how else ""
    where = f"{cell.game}{how}, {subject}{weight} at {spent}: "
    return Claim(where + sentence, Source(SHORT, "6.2", says, f"Table {cell.table}"), judge(test), attempts=ATTEMPTS)


ATTEMPTS = "the readings in the notes, where this scale has them"


def _cell_test(printed: Estimate, score: Estimate) -> tuple[Test, str]:
    if round(printed.low, 4) > 0.5:
        return above(score, 0.5, "the score"), "stronger than without"
    if round(printed.high, 4) < 0.5:
        return below(score, 0.5, "the score"), "weaker than without"
    half = printed.high - printed.estimate
    test = within(score, 0.5 - half, 0.5 + half, "the score")
    return test, f"no clear difference, a score from {0.5 - half:.3f} to {0.5 + half:.3f}"


def _text_claims(number: int, scores: Scores) -> Iterator[Claim]:
    """Yield claims on what the text says about a table as a whole, and our own claim of a clear win."""

    def said(says: str) -> Source:
        return Source(SHORT, "6.2", says, f"Table {number}")

    if number == 1:
        yield Claim(
            "each of them gains more than each of the other three games",
            said("Chinese Checkers, Cannon and Amazons gain most from the relative bonus"),
            judge(*_most(RELATIVE, LONGER, scores)),
        )
    if number == 3:
        yield Claim(
            "each of them gains more than each of the other four games",
            said("Breakthrough and Cannon gain most from the qualitative bonus"),
            judge(*_most(QUALITATIVE, ("breakthrough", "cannon"), scores)),
        )
        for cell, score in scores.chosen(QUALITATIVE, "breakthrough", DECISIVE):
            yield Claim(
                f"breakthrough with decisive playouts, the qualitative bonus at {cell.spent}: above {CLEARLY}",
                OURS,
                judge(above(score, CLEARLY, "the score")),
            )


def _most(kind: str, leaders: Sequence[str], scores: Scores) -> Iterator[Test]:
    """Yield tests that every leader has a higher score than every other game, in the cells at fixed playouts."""
    found = {game: next((score for _, score in scores.chosen(kind, game)), None) for game in GAMES}
    for leader in leaders:
        for other in (game for game in GAMES if game not in leaders):
            more, less = found[leader], found[other]
            if more is None or less is None:
                yield unmeasured(f"this scale has no {leader if more is None else other}")
            else:
                yield above(share_difference(more, less), 0.0, f"{leader} minus {other}")


def _slip(scores: Scores) -> Exhibit:
    """Whether the slip explains the published figure of the relative bonus in Breakthrough."""
    printed, slipped = (
        next(iter(scores.chosen(RELATIVE, "breakthrough", DECISIVE, reading))) for reading in (PRINT, SLIP)
    )
    difference = share_difference(printed[1], slipped[1])
    return Exhibit(
        "The slip",
        "how a wrong sign in the program affects the relative bonus in Breakthrough",
        [
            Claim(
                f"breakthrough with decisive playouts, the relative bonus at {printed[0].spent}: stronger than without,"
                " and stronger than with the slip",
                OURS,
                judge(
                    above(printed[1], 0.5, "the score as printed"),
                    above(difference, 0.0, "as printed minus with the slip"),
                ),
            ),
            Claim(
                f"with the slip the score is as published: within {SAME} of {_percent(printed[0].printed())} %",
                OURS,
                judge(
                    within(share_difference(slipped[1], printed[0].printed()), -SAME, SAME, "measured minus published")
                ),
            ),
        ],
        [
            DataTable(
                "Score of the relative bonus against no bonus in Breakthrough, decisive playouts, 95 % intervals",
                ["", "per move", "games", "score"],
                [
                    [words, cell.spent, f"{2 * cell.pairs:,}", format_interval(score)]
                    for words, (cell, score) in (("as printed", printed), ("with the slip", slipped))
                ]
                + [["difference", "", "", format_interval(difference, sign=True)]],
            )
        ],
        [
            FigureSpec(
                "slip",
                "The relative bonus in Breakthrough as printed, with the slip, and as published",
                partial(_slip_figure, printed[1], slipped[1], printed[0].printed()),
            )
        ],
    )


SAME = 0.04  # as published: at most this far from the published figure


def _slip_figure(printed: Estimate, slipped: Estimate, published: Estimate) -> bytes:
    found = {"measured": {"as printed": printed, "with the slip": slipped}, "published": {"published": published}}
    return strips([Strip("The relative bonus in Breakthrough", found, "score against no bonus", 0.5)])


def _correlations(watched: Mapping[str, Correlations]) -> Exhibit:
    """Return how length and quality correlate with the outcome, on which the paper's discussion rests."""
    words = {LENGTH: "length", QUALITY: "quality"}
    claims = [
        Claim(
            f"{game}: the {words[measure]} explains more than {CORRELATED} of the outcome's variance",
            Source(SHORT, "7", "the reward and the measure correlate, for both bonuses in most of the games"),
            judge(above(found.explained[measure], CORRELATED, "the share")),
        )
        for game, found in watched.items()
        for measure in MEASURES
    ]
    claims.append(
        Claim(
            "in each of them the first search's lengths miss the game's by a larger share than in any of the others",
            Source(
                SHORT, "6.2", "lengths of simulations and of games differ most in Chinese Checkers, Cannon, Amazons"
            ),
            judge(*_length_error_tests(watched)),
        )
    )
    rows = [
        [
            game,
            *(format_interval(found.correlation[one], 2, sign=True) for one in MEASURES),
            *(f"{found.explained[one].estimate:.3f}" for one in MEASURES),
        ]
        for game, found in watched.items()
    ]
    lengths = [
        [game, format_interval(found.ratio, 2), format_interval(found.spread, 2)] for game, found in watched.items()
    ]
    return Exhibit(
        "Section 7",
        "how length and quality of simulations correlate with their outcome",
        claims,
        [
            DataTable(
                "Correlation with a win of the favourite, 95 % intervals, and the share of variance explained (r^2)",
                ["game", "length", "quality", "r^2", "r^2"],
                rows,
            ),
            DataTable(
                "Length of simulations in the first search over the game's length; standard deviation over mean",
                ["game", "over the game's", "deviation"],
                lengths,
            ),
        ],
        [
            FigureSpec(
                "correlations",
                "Correlation of length and of quality of simulations with a win of the favourite, by game",
                partial(_correlation_figure, watched),
            )
        ],
    )


def _length_error_tests(watched: Mapping[str, Correlations]) -> Iterator[Test]:
    for leader in LONGER:
        for other in (game for game in GAMES if game not in LONGER):
            if leader not in watched or other not in watched:
                yield unmeasured(f"this scale has no {other if leader in watched else leader}")
                continue
            difference = mean_difference(watched[leader].length_errors, watched[other].length_errors)
            yield above(difference, 0.0, f"{leader} minus {other}")


def _correlation_figure(watched: Mapping[str, Correlations]) -> bytes:
    found = {measure: {game: one.correlation[measure] for game, one in watched.items()} for measure in MEASURES}
    title = "Length and quality of simulations"
    return strips([Strip(title, found, "correlation with a win of the favourite", 0.0)])


def _figure(number: int, cells: Mapping[Cell, Estimate]) -> bytes:
    """Draw a panel per column of the table, with games along x."""
    given = []
    for column in dict.fromkeys((cell.seconds, _column(cell)) for cell in cells):
        here = {cell: score for cell, score in cells.items() if (cell.seconds, _column(cell)) == column}
        found: dict[str, dict[str, Estimate]] = {"published": {cell.game: cell.printed() for cell in here}}
        for cell, score in here.items():
            label = cell.how or "measured"
            if cell.game in found.get(label, {}):
                label += f" {cell.spent}"
            found.setdefault(label, {})[cell.game] = score
        title = f"Table {number}: {column[0]} s, " + {"q": "quality alone", "a'": "a'", "0.25": "a = 0.25"}[column[1]]
        given.append(Strip(title, found, "score against no bonus", 0.5))
    return strips(given)


EXPERIMENT = Experiment(
    id="quality",
    paper=PAPER,
    part="tables 1, 3 and 4",
    shows="Whether bonuses for short simulations and for good final positions make UCT stronger in six games.",
    setup="Cells of the tables, each by pairs of games with swapped seats and a shared opening of two random plies;"
    " for the correlations, {games} self-play games of the baseline in each game.",
    scales={
        "smoke": Scale({"plan": "smoke", "games": 2, "simulations": {"breakthrough": 60}}, 15),
        "quick": Scale({"plan": "quick", "games": 12, "simulations": QUICK_PLAYOUTS}, 750),
        "paper": Scale(
            {"plan": "paper", "games": 200, "simulations": {game: 1000 * one.speed for game, one in GAMES.items()}},
            40_000_000,
        ),
    },
    points=points,
    findings=findings,
)
