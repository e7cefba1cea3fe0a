"""Halving in five board games: UCT-sqrt-SH and SHOT against UCT and each other (section 7, tables 2 to 4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.experiments.figures.curves import PUBLISHED, Curve, Panel, panels
from ramify.experiments.framework import published
from ramify.experiments.framework.claims import Claim, Test, above, below, equivalent, judge, unmeasured
from ramify.experiments.framework.estimates import Estimate, format_interval, share_difference
from ramify.experiments.framework.experiment import Experiment, Part, Point, Results, Scale
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec, Findings
from ramify.experiments.framework.published_cells import UNCLEAR, cell_test, shows
from ramify.experiments.framework.statements import statements
from ramify.experiments.papers.putrich_2023.paper import PAPER
from ramify.experiments.papers.putrich_2023.players import (
    CONSTANTS,
    CUTS,
    GAMES,
    LUDII_SPEED,
    READINGS,
    SHOT,
    SQRT_HALVING,
    UCT,
    cut,
    players,
    reading_of,
)
from ramify.experiments.trials.paired_games import PairedGames, paired_results, score_estimate

STATEMENTS = statements("putrich_2023")
SUBSTANTIAL = 0.1  # "no substantial difference": scores change by less than this (our reading)
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

    @property
    def readings(self) -> tuple[str, ...]:
        return (*READINGS, *CUTS) if self.first == SHOT else tuple(READINGS)

    def key(self, game: str, playouts: int, reading: str) -> str:
        """Return the point that measures a cell. A cut at or above the number of playouts changes nothing."""
        same = reading in CUTS and cut(game, reading) >= playouts
        return f"{self.name} {game} {playouts} {'program' if same else reading}"


TABLES = (
    PaperTable(2, SQRT_HALVING, UCT, (1000, 5000, 10_000)),
    PaperTable(3, SHOT, UCT, (1000, 5000)),
    PaperTable(4, SHOT, SQRT_HALVING, (1000, 5000)),
)
Cells = dict[tuple[int, str, int, str], Estimate]  # by table, game, playouts, reading


def points(pairs: Mapping[int, int], games: Sequence[str] = tuple(GAMES)) -> list[Point]:
    """Return a point per cell of the tables and reading. ``pairs``: by playouts."""

    def point(table: PaperTable, game: str, playouts: int, reading: str) -> Point:
        agents = players(game, reading)
        return Point(
            table.key(game, playouts, reading),
            PairedGames(GAMES[game], agents[table.first], agents[table.second], PlayerLimits(simulations=playouts)),
            pairs[playouts] * PAIRS_FACTOR[game],
            stream=f"{table.name} {game} {playouts}",
        )

    return [
        point(table, game, playouts, reading)
        for table in TABLES
        for playouts in table.budgets
        if playouts in pairs
        for game in games
        for reading in table.readings
        if reading not in CUTS or cut(game, reading) < playouts
    ]


def findings(results: Results) -> Findings:
    """Return scores beside the published ones, with a verdict for each, and verdicts on the text."""
    parts = [_findings(table, results) for table in TABLES]
    exhibits = [one for part in parts for one in part.exhibits]
    return Findings(exhibits, [_which(exhibits), *NOTES])


def _findings(table: PaperTable, results: Results) -> Findings:
    """Return what was measured for one table."""
    games, pairs = results.sizes.get("games", tuple(GAMES)), results.sizes["pairs"]
    cells = {
        (table.number, game, playouts, reading): score_estimate(
            paired_results(results[table.key(game, playouts, reading)])
        )
        for playouts in table.budgets
        if playouts in pairs
        for game in games
        for reading in table.readings
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
            assumed_settings="openings (here two random plies), and how SHOT breaks ties when it sorts"
            + (", and the playouts after which SHOT is cut" if reading in CUTS else ""),
        )
        for reading in table.readings
    ]
    return Findings(exhibits, NOTES)


def _cuts() -> str:
    return ", ".join(f"{cut(game, 'cut'):,} or {cut(game, 'half-cut'):,} in {game}" for game in LUDII_SPEED)


NOTES = [
    (
        "The printed constants: 2 C sqrt(2 ln N / n) with C = 1/sqrt 2 on values in [-1, 1], and at the root the same"
        " with sqrt(N) for ln N; log2 K halvings. Those of the program behind the results: 0.7 sqrt(2 ln N / n), but"
        " sqrt(2 ln N / n) for plain UCT; ceil(ln(K / ln 2)) halvings; values discounted by 0.999 per ply; playouts cut"
        " at 600 plies, those of SHOT at 500. Both are tested."
    ),
    (
        "Where a published interval includes 50 % and the score is within 5 points of it, the paper shows no clear"
        " difference, whatever its text says. Cells such as 59 ± 9 % show neither that nor a difference; they have no"
        " verdict. The tables were made by the program, so its constants are the main reading."
    ),
    (
        "The program discounts by the plies below each node, ours by the plies from the root. Among the moves of one"
        " position the order is the same; values are a factor 0.999 closer to a draw per level of the tree."
    ),
    (
        "The program's SHOT returns after 0.6 s, even when its budget is in playouts. Its machine is unknown. The"
        " readings with a cut plan the halvings for the whole budget and end after as many playouts as Ludii's own UCT"
        " makes in 0.6 s from the start of the game on our machine, to the nearest hundred, or half as many:"
        f" {_cuts()}. The speeds were measured before and for another purpose (docs/ludii.md). Later in a game playouts"
        " are shorter, so that the program made more of them. A cut at or above the number of playouts changes nothing."
    ),
]


def _cell_claims(table: PaperTable, reading: str, cells: Cells) -> Iterator[Claim]:
    """Yield a claim per published cell that shows something: which player is stronger, or no clear difference."""
    for (_, game, playouts, one), score in cells.items():
        printed = table.printed(game, playouts)
        if one != reading or shows(printed) == UNCLEAR:
            continue
        test, sentence = cell_test(printed, score, table.second)
        yield Claim(
            f"{game} at {playouts:,}: {sentence}",
            STATEMENTS[f"table-{table.number}-{game}-{playouts}"],
            judge(test),
            attempts=ATTEMPTS,
            reading=reading_of(reading),
        )


ATTEMPTS = "both readings of the constants, and for SHOT two cuts"


def _text_claims(table: PaperTable, reading: str, cells: Cells, games: Sequence[str]) -> Iterator[Claim]:
    """Yield claims on what the text says about a table as a whole."""

    def score(game: str, playouts: int) -> Estimate | None:
        return cells.get((table.number, game, playouts, reading))

    def claim(name: str, sentence: str, tests: Iterable[Test]) -> Claim:
        source = STATEMENTS[f"table-{table.number}-{name}"]
        return Claim(sentence, source, judge(*tests), reading=reading_of(reading))

    def stronger(game: str, playouts: int) -> Test:
        found = score(game, playouts)
        if found is None:
            return unmeasured(f"this scale has no {playouts:,} playouts")
        return above(found, 0.5, f"the score in {game} at {playouts:,}")

    def change(game: str, playouts: int) -> Estimate | None:
        after, before = score(game, playouts), score(game, 1000)
        return share_difference(after, before) if after and before else None

    def falls(game: str, playouts: int) -> Test:
        found = change(game, playouts)
        missing = f"this scale has no {playouts:,} playouts"
        return below(found, 0.0, f"the change in {game}") if found else unmeasured(missing)

    if table.number == 2:
        everywhere = (stronger(game, playouts) for playouts in table.budgets for game in games)
        yield claim("consistent", "a score above 0.5 in all games and at all budgets", everywhere)
        yield claim(
            "budgets",
            f"from 1,000 to 10,000 the score changes by less than {SUBSTANTIAL} in every game but atarigo",
            (_unchanged(game, change(game, 10_000)) for game in games if game != "atarigo"),
        )
        yield claim("atarigo-falls", "atarigo: the score at 10,000 is below that at 1,000", [falls("atarigo", 10_000)])
        return
    if table.number == 3:
        clear = (stronger(game, 1000) for game in games if game != "amazons")
        yield claim("exceeds", "a score above 0.5 at 1,000 in every game but amazons", clear)
        falling = (falls(game, 5000) for game in games)
        yield claim("declines", "the score at 5,000 is below that at 1,000 in every game", falling)
        return
    falling = (falls(game, 5000) for game in games if game != "breakthrough")
    yield claim("declines", "the score at 5,000 is below that at 1,000 in all but breakthrough", falling)
    others = (_drops_more(change("nogo", 5000), change(game, 5000), game) for game in games if game != "nogo")
    yield claim("nogo", "nogo: the score falls by more than in every other game", others)


def _unchanged(game: str, found: Estimate | None) -> Test:
    missing = "this scale has no 10,000 playouts"
    return equivalent(found, SUBSTANTIAL, f"the change in {game}", around=0.0) if found else unmeasured(missing)


def _drops_more(one: Estimate | None, other: Estimate | None, game: str) -> Test:
    if one is None or other is None:
        return unmeasured("this scale has no 5,000 playouts")
    return below(share_difference(one, other), 0.0, f"the change in nogo minus that in {game}")


def _table(table: PaperTable, reading: str, cells: Cells, games: Sequence[str]) -> DataTable:
    rows = [
        [
            game,
            _playouts(game, playouts, reading),
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


def _playouts(game: str, playouts: int, reading: str) -> str:
    cut_off = reading in CUTS and cut(game, reading) < playouts
    return f"{playouts:,}, SHOT cut at {cut(game, reading):,}" if cut_off else f"{playouts:,}"


def _percent(printed: Estimate) -> str:
    return f"{100 * printed.estimate:.0f} % ± {100 * (printed.high - printed.estimate):.0f} %"


def _which(exhibits: Sequence[Exhibit]) -> str:
    """Count the published cells and statements that each reading reproduces."""
    texts = []
    for reading in (*READINGS, *CUTS):
        claims = [claim for one in exhibits if one.shows.endswith(CONSTANTS[reading]) for claim in one.claims]
        counts = [sum(claim.verdict.holds is outcome for claim in claims) for outcome in (True, False, None)]
        texts.append(f"with {CONSTANTS[reading]} {counts[0]} of {len(claims)}, {counts[1]} not, {counts[2]} undecided")
    return f"Reproduced: {'; '.join(texts)}."


def _figure(table: PaperTable, reading: str, cells: Cells, games: Sequence[str]) -> bytes:
    budgets = [one for one in table.budgets if (table.number, games[0], one, reading) in cells]
    measured = [
        Curve.from_intervals("measured", budgets, [cells[table.number, game, n, reading] for n in budgets])
        for game in games
    ]
    printed = [
        Curve.from_intervals(PUBLISHED, table.budgets, [table.printed(game, n) for n in table.budgets])
        for game in games
    ]
    score = f"score of {table.first}"
    return panels(
        [
            Panel(game, [ours, theirs], "playouts per move", score, powers=True, levels=(0.5,), limits=(0.0, 1.0))
            for game, ours, theirs in zip(games, measured, printed, strict=True)
        ],
        columns=3,
    )


EXPERIMENT = Experiment(
    id="halving",
    paper=PAPER,
    part="tables 2, 3 and 4",
    shows="Whether halving at the root (UCT-sqrt-SH) and in the whole tree (SHOT) beats UCT in five board games.",
    setup="Pairs of games with swapped seats and a shared opening of two random plies, with the printed constants and"
    " with the program's, for each cell of the tables; for SHOT also cut as in the program. Pairs by playouts per move"
    " in NoGo, whose games take longest: {pairs}. There are 2 (Amazons), 3 (Pentalath, AtariGo) or 5 (Breakthrough)"
    " times as many in the others.",
    scales={
        "smoke": Scale({"pairs": {1000: 1}, "games": ("breakthrough",)}, 10),
        "quick": Scale({"pairs": {1000: 60, 5000: 10, 10_000: 5}}, 2600),
        "paper": Scale({"pairs": {1000: 50, 5000: 50, 10_000: 50}}, 8700),
    },
    points=points,
    findings=findings,
    parts={
        f"table-{one.number}": Part(
            f"table {one.number}",
            f"Whether {one.first} beats {one.second} in five board games.",
            lambda key, start=f"{one.name} ": key.startswith(start),  # type: ignore[misc]
            partial(_findings, one),
        )
        for one in TABLES
    },
)
