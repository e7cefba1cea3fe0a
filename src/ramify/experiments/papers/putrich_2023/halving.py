"""Halving in five board games: UCT-sqrt-SH and SHOT against UCT and each other (section 7, tables 2 to 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.figures.curves import Curve, Panel, panels
from ramify.experiments.framework import published
from ramify.experiments.framework.claims import Claim, Source, Test, above, below, judge, unmeasured, within
from ramify.experiments.framework.estimates import Estimate, format_interval, share_difference
from ramify.experiments.framework.experiment import Experiment, Point, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.papers.putrich_2023.paper import PAPER, SHORT
from ramify.experiments.papers.putrich_2023.players import CONSTANTS, GAMES, READINGS, SHOT, SQRT_HALVING, UCT
from ramify.experiments.trials.paired_games import PairedGames, paired_results, score_estimate

PAIRS_FACTOR = {"pentalath": 3, "atarigo": 3, "nogo": 1, "breakthrough": 5, "amazons": 2}  # more pairs of shorter games


@dataclass(frozen=True)
class PaperTable:
    """A table of the paper: two players, and the budgets of its columns."""

    number: int
    first: str
    second: str
    budgets: tuple[int, ...]

    @property
    def name(self) -> str:
        return f"Table {self.number}"

    def printed(self, game: str, playouts: int) -> Estimate:
        """Return a published cell."""
        row = next(one for one in published.table(f"sh_table{self.number}") if one["game"] == game)
        found = published.percentage(row[str(playouts)])
        assert found is not None
        return found

    def key(self, game: str, playouts: int, reading: str) -> str:
        return f"{self.name} {game} {playouts} {reading}"


TABLES = (
    PaperTable(2, SQRT_HALVING, UCT, (1000, 5000, 10_000)),
    PaperTable(3, SHOT, UCT, (1000, 5000)),
    PaperTable(4, SHOT, SQRT_HALVING, (1000, 5000)),
)
Cells = dict[tuple[int, str, int, str], Estimate]  # by table, game, playouts, reading


def points(pairs: int, most: int, games: Sequence[str] = tuple(GAMES)) -> list[Point]:
    """Return a point per cell of the tables up to ``most`` playouts and per reading of the constants."""
    return [
        Point(
            table.key(game, playouts, reading),
            PairedGames(GAMES[game], agents[table.first], agents[table.second], PlayerLimits(simulations=playouts)),
            pairs * PAIRS_FACTOR[game],
            stream=f"{table.name} {game} {playouts}",
        )
        for table in TABLES
        for playouts in table.budgets
        if playouts <= most
        for game in games
        for reading, agents in READINGS.items()
    ]


def findings(results: Results) -> Findings:
    """Return scores beside the published ones, with a verdict for each, and verdicts on the text."""
    games, most = results.sizes.get("games", tuple(GAMES)), results.sizes["most"]
    cells = {
        (table.number, game, playouts, reading): score_estimate(
            paired_results(results[table.key(game, playouts, reading)])
        )
        for table in TABLES
        for playouts in table.budgets
        if playouts <= most
        for game in games
        for reading in READINGS
    }
    exhibits = [
        Exhibit(
            table.name,
            f"{table.first} against {table.second}, {CONSTANTS[reading]}",
            [*_cell_claims(table, reading, cells), *_text_claims(table, reading, cells, games)],
            [_table(table, reading, cells, games)],
            [
                FigureSpec(
                    f"table-{table.number}-{reading}",
                    f"Score of {table.first} against {table.second} by playouts, {CONSTANTS[reading]}",
                    partial(_figure, table, reading, cells, games),
                )
            ],
            assumed_settings="openings (here two random plies), and how SHOT breaks ties when it sorts",
        )
        for table in TABLES
        for reading in READINGS
    ]
    return Findings(exhibits, [_which(exhibits), *NOTES])


NOTES = [
    (
        "The printed constants: 2 C sqrt(2 ln N / n) with C = 1/sqrt 2 on values in [-1, 1], and at the root the same"
        " with sqrt(N) for ln N; log2 K halvings. Those of the program behind the results: 0.7 sqrt(2 ln N / n), but"
        " sqrt(2 ln N / n) for plain UCT; ceil(ln(K / ln 2)) halvings; values discounted by 0.999 per ply; playouts cut"
        " at 600 plies, those of SHOT at 500. Both are tested."
    ),
    (
        "Where a published interval includes or touches 50 %, the paper shows no clear difference, whatever its text"
        " says. Such cells are tested as scores whose distance from 50 % is at most the published half-width."
    ),
    (
        "The program discounts by the plies below each node, ours by the plies from the root. Among the moves of one"
        " position the order is the same; values are a factor 0.999 closer to a draw per level of the tree."
    ),
]


def _cell_claims(table: PaperTable, reading: str, cells: Cells) -> Iterator[Claim]:
    """Yield a claim per published cell: which player is stronger, or no clear difference."""
    for (number, game, playouts, one), score in cells.items():
        if (number, one) != (table.number, reading):
            continue
        printed = table.printed(game, playouts)
        says = f"{game} at {playouts:,} playouts: {table.first} scores {_percent(printed)}"
        test, sentence = _cell_test(printed, score, table)
        yield Claim(
            f"{game} at {playouts:,}: {sentence}", Source(SHORT, "7", says, table.name), judge(test), attempts=ATTEMPTS
        )


ATTEMPTS = "both readings of the constants"


def _cell_test(printed: Estimate, score: Estimate, table: PaperTable) -> tuple[Test, str]:
    if round(printed.low, 4) > 0.5:
        return above(score, 0.5, "the score"), f"{table.first} is stronger than {table.second}"
    if round(printed.high, 4) < 0.5:
        return below(score, 0.5, "the score"), f"{table.first} is weaker than {table.second}"
    half = printed.high - printed.estimate
    test = within(score, 0.5 - half, 0.5 + half, "the score")
    return test, f"no clear difference: a score from {0.5 - half:.2f} to {0.5 + half:.2f}"


def _text_claims(table: PaperTable, reading: str, cells: Cells, games: Sequence[str]) -> Iterator[Claim]:
    """Yield claims on what the text says about a table as a whole."""

    def score(game: str, playouts: int) -> Estimate | None:
        return cells.get((table.number, game, playouts, reading))

    def said(says: str) -> Source:
        return Source(SHORT, "7", says, table.name)

    if table.number == 2:
        everywhere = [
            above(found, 0.5, f"the score in {game} at {playouts:,}")
            if (found := score(game, playouts))
            else unmeasured(f"this scale has no {playouts:,} playouts")
            for playouts in table.budgets
            for game in games
        ]
        yield Claim(
            "a score above 0.5 in all games and at all budgets",
            said("UCT-sqrt-SH consistently outperformed UCT across all games tested"),
            judge(*everywhere),
        )
        yield Claim(
            "atarigo: the score at 10,000 is below that at 1,000",
            said("in AtariGo the win rate falls consistently, by 15 % from 1000 to 10000 playouts"),
            judge(_falls("atarigo", score("atarigo", 10_000), score("atarigo", 1000), 10_000)),
        )
        return
    falling = [game for game in games if table.number == 3 or game != "breakthrough"]
    yield Claim(
        f"the score at 5,000 is below that at 1,000 in {'every game' if table.number == 3 else 'all but breakthrough'}",
        said("SHOT declines from 1000 to 5000 playouts" + ("" if table.number == 3 else ", except in Breakthrough")),
        judge(*(_falls(game, score(game, 5000), score(game, 1000), 5000) for game in falling)),
    )


def _falls(game: str, after: Estimate | None, before: Estimate | None, playouts: int) -> Test:
    if after is None or before is None:
        return unmeasured(f"this scale has no {playouts:,} playouts" if before else f"this scale has no {game}")
    return below(share_difference(after, before), 0.0, f"the change in {game}")


def _table(table: PaperTable, reading: str, cells: Cells, games: Sequence[str]) -> DataTable:
    rows = [
        [
            game,
            f"{playouts:,}",
            format_interval(cells[table.number, game, playouts, reading]),
            _percent(table.printed(game, playouts)),
        ]
        for game in games
        for playouts in table.budgets
        if (table.number, game, playouts, reading) in cells
    ]
    return DataTable(
        f"Score of {table.first} against {table.second}, 95 % intervals",
        ["game", "playouts", "measured", "published"],
        rows,
    )


def _percent(printed: Estimate) -> str:
    return f"{100 * printed.estimate:.0f} % ± {100 * (printed.high - printed.estimate):.0f} %"


def _which(exhibits: Sequence[Exhibit]) -> str:
    """Count the published cells and statements that each reading reproduces."""
    texts = []
    for reading in READINGS:
        claims = [claim for one in exhibits if one.shows.endswith(CONSTANTS[reading]) for claim in one.claims]
        counts = [sum(claim.verdict.holds is outcome for claim in claims) for outcome in (True, False, None)]
        texts.append(f"with {CONSTANTS[reading]} {counts[0]} of {len(claims)}, {counts[1]} not, {counts[2]} undecided")
    return f"Reproduced: {'; '.join(texts)}."


def _figure(table: PaperTable, reading: str, cells: Cells, games: Sequence[str]) -> bytes:
    budgets = [one for one in table.budgets if (table.number, games[0], one, reading) in cells]
    measured = [
        Curve.from_intervals(game, budgets, [cells[table.number, game, n, reading] for n in budgets]) for game in games
    ]
    printed = [Curve.from_intervals(game, budgets, [table.printed(game, n) for n in budgets]) for game in games]
    return panels(
        [
            Panel(title, curves, "playouts per move", f"score of {table.first}", powers=True, levels=(0.5,))
            for title, curves in ((f"measured, {CONSTANTS[reading]}", measured), ("published", printed))
        ],
        columns=2,
    )


EXPERIMENT = Experiment(
    id="halving",
    paper=PAPER,
    part="tables 2, 3 and 4",
    shows="Whether halving at the root (UCT-sqrt-SH) and in the whole tree (SHOT) beats UCT in five board games.",
    setup="{pairs} pairs of games with swapped seats and a shared opening of two random plies in NoGo, whose games take"
    " longest, and 2 (Amazons), 3 (Pentalath, AtariGo) or 5 (Breakthrough) times as many in the others, for each cell"
    " of the tables up to {most} playouts per move, with the printed constants and with the program's.",
    scales={
        "smoke": Scale({"pairs": 1, "most": 1000, "games": ("breakthrough",)}, 10),
        "quick": Scale({"pairs": 60, "most": 1000}, 900),
        "paper": Scale({"pairs": 50, "most": 10_000}, 7000),
    },
    points=points,
    findings=findings,
)
