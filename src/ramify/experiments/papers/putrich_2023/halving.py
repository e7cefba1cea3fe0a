"""Halving at five board games: UCT-sqrt-SH and SHOT against UCT and each other (section 7, tables 2 to 4)."""

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
from ramify.experiments.papers.putrich_2023.players import GAMES, READINGS, SHOT, SQRT_HALVING, UCT
from ramify.experiments.trials.paired_games import PairedGames, paired_results, score_estimate

SHORTER = {"pentalath": 3, "atarigo": 3, "nogo": 1, "breakthrough": 5, "amazons": 2}  # so many times as many pairs


@dataclass(frozen=True)
class PaperTable:
    """A table of the paper: who plays whom."""

    number: int
    first: str
    second: str
    budgets: tuple[int, ...]

    @property
    def name(self) -> str:
        """As the paper calls it."""
        return f"Table {self.number}"

    def printed(self, game: str, playouts: int) -> Estimate:
        """A published cell."""
        row = next(one for one in published.table(f"sh_table{self.number}") if one["game"] == game)
        found = published.percentage(row[str(playouts)])
        assert found is not None
        return found

    def key(self, game: str, playouts: int, reading: str) -> str:
        """The name of a point."""
        return f"{self.name} {game} {playouts} {reading}"


ARENAS = (
    PaperTable(2, SQRT_HALVING, UCT, (1000, 5000, 10_000)),
    PaperTable(3, SHOT, UCT, (1000, 5000)),
    PaperTable(4, SHOT, SQRT_HALVING, (1000, 5000)),
)
Cells = dict[tuple[int, str, int, str], Estimate]  # by table, game, playouts, reading


def points(pairs: int, most: int, games: Sequence[str] = tuple(GAMES)) -> list[Point]:
    """Every cell of the tables up to so many playouts, with either reading of the constants."""
    return [
        Point(
            arena.key(game, playouts, reading),
            PairedGames(GAMES[game], agents[arena.first], agents[arena.second], PlayerLimits(simulations=playouts)),
            pairs * SHORTER[game],
            stream=f"{arena.name} {game} {playouts}",
        )
        for arena in ARENAS
        for playouts in arena.budgets
        if playouts <= most
        for game in games
        for reading, agents in READINGS.items()
    ]


def findings(results: Results) -> Findings:
    """Scores beside the published ones, a verdict for each, and what the text says of them together."""
    games, most = results.sizes.get("games", tuple(GAMES)), results.sizes["most"]
    cells = {
        (arena.number, game, playouts, reading): score_estimate(
            paired_results(results[arena.key(game, playouts, reading)])
        )
        for arena in ARENAS
        for playouts in arena.budgets
        if playouts <= most
        for game in games
        for reading in READINGS
    }
    exhibits = [
        Exhibit(
            arena.name,
            f"{arena.first} against {arena.second}, constants of the {reading}",
            [*_cell_claims(arena, reading, cells), *_text_claims(arena, reading, cells, games)],
            [_table(arena, reading, cells, games)],
            [
                FigureSpec(
                    f"table-{arena.number}-{reading}",
                    f"Score of {arena.first} against {arena.second} by playouts, constants of the {reading}",
                    partial(_figure, arena, reading, cells, games),
                )
            ],
            assumed_settings="openings (here two random plies), and for SHOT what a tie in the sorting does",
        )
        for arena in ARENAS
        for reading in READINGS
    ]
    return Findings(exhibits, [_which(exhibits), *NOTES])


NOTES = [
    (
        "Constants of the print: 2 C sqrt(2 ln N / n) with C = 1/sqrt 2 on values in [-1, 1], and at the root the same"
        " with sqrt(N) for ln N; log2 K halvings. Of the program behind the results: 0.7 sqrt(2 ln N / n), for UCT"
        " alone sqrt(2 ln N / n); ceil(ln(K / ln 2)) halvings; values discounted by 0.999 a ply; playouts cut at 600"
        " plies, those of SHOT at 500. Either is tested."
    ),
    (
        "Where a published interval includes or touches 50 % the paper shows no clear difference, whatever its text"
        " says, and that is tested: the score within as much of 50 % as the published interval is wide to each side."
    ),
    (
        "The program discounts by the plies below each node, ours by those from the root on: among the moves of one"
        " position that is the same order, values being 0.999 closer to a draw for each level of the tree."
    ),
]


def _cell_claims(arena: PaperTable, reading: str, cells: Cells) -> Iterator[Claim]:
    """What each published cell shows: who is stronger, or no clear difference."""
    for (number, game, playouts, one), score in cells.items():
        if (number, one) != (arena.number, reading):
            continue
        printed = arena.printed(game, playouts)
        says = f"{game} at {playouts:,} playouts: {arena.first} scores {_percent(printed)}"
        test, sentence = _cell_test(printed, score, arena)
        yield Claim(
            f"{game} at {playouts:,}: {sentence}", Source(SHORT, "7", says, arena.name), judge(test), attempts=ATTEMPTS
        )


ATTEMPTS = "both readings of the constants"


def _cell_test(printed: Estimate, score: Estimate, arena: PaperTable) -> tuple[Test, str]:
    if round(printed.low, 4) > 0.5:
        return above(score, 0.5, "the score"), f"{arena.first} is stronger than {arena.second}"
    if round(printed.high, 4) < 0.5:
        return below(score, 0.5, "the score"), f"{arena.first} is weaker than {arena.second}"
    half = printed.high - printed.estimate
    test = within(score, 0.5 - half, 0.5 + half, "the score")
    return test, f"no clear difference: a score from {0.5 - half:.2f} to {0.5 + half:.2f}"


def _text_claims(arena: PaperTable, reading: str, cells: Cells, games: Sequence[str]) -> Iterator[Claim]:
    """What the text says of a table as a whole."""

    def score(game: str, playouts: int) -> Estimate | None:
        return cells.get((arena.number, game, playouts, reading))

    def said(says: str) -> Source:
        return Source(SHORT, "7", says, arena.name)

    if arena.number == 2:
        everywhere = [
            above(found, 0.5, f"the score at {game} and {playouts:,}")
            if (found := score(game, playouts))
            else unmeasured(f"this scale has no {playouts:,} playouts")
            for playouts in arena.budgets
            for game in games
        ]
        yield Claim(
            "a score above 0.5 at all games and budgets",
            said("UCT-sqrt-SH consistently outperformed UCT across all games tested"),
            judge(*everywhere),
        )
        yield Claim(
            "atarigo: the score at 10,000 is below that at 1,000",
            said("at AtariGo the win rate falls consistently, by 15 % from 1000 to 10000 playouts"),
            judge(_falls("atarigo", score("atarigo", 10_000), score("atarigo", 1000), 10_000)),
        )
        return
    falling = [game for game in games if arena.number == 3 or game != "breakthrough"]
    yield Claim(
        f"the score at 5,000 is below that at 1,000 at {'every game' if arena.number == 3 else 'all but breakthrough'}",
        said("SHOT declines from 1000 to 5000 playouts" + ("" if arena.number == 3 else ", but at Breakthrough")),
        judge(*(_falls(game, score(game, 5000), score(game, 1000), 5000) for game in falling)),
    )


def _falls(game: str, after: Estimate | None, before: Estimate | None, playouts: int) -> Test:
    if after is None or before is None:
        return unmeasured(f"this scale has no {playouts:,} playouts" if before else f"this scale has no {game}")
    return below(share_difference(after, before), 0.0, f"the change at {game}")


def _table(arena: PaperTable, reading: str, cells: Cells, games: Sequence[str]) -> DataTable:
    rows = [
        [
            game,
            f"{playouts:,}",
            format_interval(cells[arena.number, game, playouts, reading]),
            _percent(arena.printed(game, playouts)),
        ]
        for game in games
        for playouts in arena.budgets
        if (arena.number, game, playouts, reading) in cells
    ]
    return DataTable(
        f"Score of {arena.first} against {arena.second}, with 95 %", ["game", "playouts", "measured", "published"], rows
    )


def _percent(printed: Estimate) -> str:
    return f"{100 * printed.estimate:.0f} % ± {100 * (printed.high - printed.estimate):.0f} %"


def _which(exhibits: Sequence[Exhibit]) -> str:
    """How many published cells and statements each reading reproduces."""
    told = []
    for reading in READINGS:
        claims = [claim for one in exhibits if one.shows.endswith(f"of the {reading}") for claim in one.claims]
        counts = [sum(claim.verdict.holds is outcome for claim in claims) for outcome in (True, False, None)]
        told.append(f"of the {reading}: {counts[0]} of {len(claims)}, {counts[1]} not, {counts[2]} undecided")
    return f"Reproduced with the constants {'; '.join(told)}."


def _figure(arena: PaperTable, reading: str, cells: Cells, games: Sequence[str]) -> bytes:
    budgets = [one for one in arena.budgets if (arena.number, games[0], one, reading) in cells]
    measured = [
        Curve.from_intervals(game, budgets, [cells[arena.number, game, n, reading] for n in budgets]) for game in games
    ]
    printed = [Curve.from_intervals(game, budgets, [arena.printed(game, n) for n in budgets]) for game in games]
    return panels(
        [
            Panel(title, curves, "playouts a move", f"score of {arena.first}", powers=True, levels=(0.5,))
            for title, curves in ((f"measured, constants of the {reading}", measured), ("published", printed))
        ],
        columns=2,
    )


EXPERIMENT = Experiment(
    id="halving",
    paper=PAPER,
    part="tables 2, 3 and 4",
    shows="Whether halving at the root (UCT-sqrt-SH) and in the whole tree (SHOT) beats UCT at five board games.",
    setup="{pairs} pairs of games with swapped seats and a shared opening of two random plies at NoGo, whose games take"
    " longest, and 2 (Amazons), 3 (Pentalath, AtariGo) or 5 (Breakthrough) times as many at the others, for each cell"
    " of the tables up to {most} playouts a move, with the constants of the print and those of the program.",
    scales={
        "smoke": Scale({"pairs": 1, "most": 1000, "games": ("breakthrough",)}, 10),
        "quick": Scale({"pairs": 60, "most": 1000}, 900),
        "paper": Scale({"pairs": 50, "most": 10_000}, 7000),
    },
    points=points,
    findings=findings,
)
