"""Exhibits of tables 1, 3 and 4: scores beside the published ones, and claims on cells and on the text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from ramify.experiments.figures.strips import Strip, strips
from ramify.experiments.framework.claims import Claim, Test, above, below, judge, unmeasured, within
from ramify.experiments.framework.estimates import Estimate, format_interval, share_difference
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec
from ramify.experiments.framework.published_cells import UNCLEAR, cell_test, mean_of, percent, shows
from ramify.experiments.framework.statements import statements
from ramify.experiments.papers.pepels_2014.cells import COLUMNS, FIVE, KINDS, ONE, Cell, Scores
from ramify.experiments.papers.pepels_2014.counting import at_least
from ramify.experiments.papers.pepels_2014.players import (
    BOTH,
    FIXED,
    FOLDER,
    GAMES,
    ONLINE,
    QUALITATIVE,
    RELATIVE,
    REPLACED,
)
from ramify.statistics.inference import Interval

TITLES = {
    1: "the relative bonus against no bonus",
    3: "the qualitative bonus against no bonus",
    4: "both bonuses against no bonus, and quality in place of the result",
}
SUBJECTS = {RELATIVE: "the relative bonus", QUALITATIVE: "the qualitative bonus", BOTH: "both bonuses"}
LONGER = ("chinese checkers", "cannon", "amazons")  # the paper reports the largest gains, and differences of length
PIECES = ("breakthrough", "cannon", "checkers")  # q counts pieces
CONSIDERABLY = 0.55  # a considerable improvement: a score above this
SAME_SCORE = 0.05  # results that do not depend on the search time differ by at most this
MOST_GAMES = 5  # of six
NOTHING = Interval(math.nan, math.nan, math.nan)  # in a figure: a series without a mark


def table_exhibit(number: int, scores: Scores) -> Exhibit:
    """Return one of the tables."""
    cells = scores.table(number)
    claims = [_cell_claim(cell, score) for cell, score in cells.items() if shows(cell.printed()) != UNCLEAR]
    rows = [
        [
            cell.game,
            " ".join(one for one in (_column(cell), cell.how) if one),
            cell.spent,
            format_interval(score, 2),
            percent(cell.printed()),
        ]
        for cell, score in sorted(cells.items(), key=lambda one: one[0].game)
    ]
    return Exhibit(
        f"Table {number}",
        TITLES[number],
        [*claims, *TEXT_CLAIMS[number](scores)],
        [
            DataTable(
                "Score against no bonus, 95 % intervals",
                ["game", "a", "budget", "measured", "published"],
                rows,
                2,
            )
        ],
        [
            FigureSpec(
                f"table-{number}",
                f"Scores of {TITLES[number].removesuffix(' against no bonus')}, measured and published",
                partial(_figure, number, cells),
            )
        ],
        assumed_settings="openings (here two random plies), and the number of simulations per second",
    )


def _column(cell: Cell) -> str:
    column = "q" if cell.kind == REPLACED else "a'" if cell.weight == ONLINE else "0.25"
    return column if cell.seconds == ONE else f"{column}, {cell.seconds} s"


def _cell_claim(cell: Cell, score: Estimate) -> Claim:
    """Return the claim of a published cell: stronger, weaker, or no clear difference."""
    subject = SUBJECTS.get(cell.kind, "quality in place of the result")
    weight = "" if cell.kind == REPLACED else f" with {cell.weight}"
    test, sentence = cell_test(cell.printed(), score)
    spent = f"{cell.spent} simulations" if cell.limits.simulations else cell.spent
    return Claim(
        f"{cell.game}, {subject}{weight} at {spent}: {sentence}",
        statements(FOLDER)[cell.statement],
        judge(test),
        reading=cell.reading_name,
    )


def _claim(name: str, sentence: str, tests: Sequence[Test]) -> Claim:
    return Claim(sentence, statements(FOLDER)[name], judge(*tests))


def _stronger(scores: Sequence[Estimate]) -> list[Test]:
    return [above(score, 0.5, "the score") for score in scores]


def _table_1_claims(scores: Scores) -> Iterator[Claim]:
    yield Claim(
        f"a score above 0.5 in at least {MOST_GAMES} of 6 games, at 1 s or 5 s, with a' or a = 0.25",
        statements(FOLDER)["table-1-five-games"],
        at_least(MOST_GAMES, [_stronger(scores.all_main(RELATIVE, game)) for game in GAMES], either=True),
    )
    yield Claim(
        f"1 s: a higher score with a' than with a = 0.25 in at least {MOST_GAMES} of 6 games",
        statements(FOLDER)["table-1-online-better"],
        at_least(MOST_GAMES, [_more(scores, RELATIVE, game) for game in GAMES]),
    )
    yield _claim(
        "table-1-gain-most",
        "each of them gains more than each of the other three games",
        list(_most(RELATIVE, LONGER, scores)),
    )
    yield _claim(
        "table-1-both-times",
        "each of them has a score above 0.5 at 1 s and at 5 s, with a = 0.25",
        [
            _measured(scores.main(RELATIVE, game, FIXED, seconds), f"{game}, {seconds} s")
            for game in LONGER
            for seconds in (ONE, FIVE)
        ],
    )


def _table_3_claims(scores: Scores) -> Iterator[Claim]:
    yield Claim(
        f"a score above 0.5 in at least {MOST_GAMES} of 6 games, at 1 s or 5 s, with a' or a = 0.25",
        statements(FOLDER)["table-3-five-games"],
        at_least(MOST_GAMES, [_stronger(scores.all_main(QUALITATIVE, game)) for game in GAMES], either=True),
    )
    yield _claim(
        "table-3-gain-most",
        "each of them gains more than each of the other four games",
        list(_most(QUALITATIVE, ("breakthrough", "cannon"), scores)),
    )
    yield _claim(
        "table-3-search-time",
        f"scores at 1 s and at 5 s, with a = 0.25, differ by at most {SAME_SCORE} in every game",
        [_same_later(scores, kind, game) for kind in (RELATIVE, QUALITATIVE) for game in GAMES],
    )
    yield _claim("table-3-higher", "1 s, a = 0.25: a higher mean score over the six games", [_higher(scores)])
    yield _claim(
        "qualitative-all-games",
        "1 s, a = 0.25: a score above 0.5 in each of the six games",
        [_measured(scores.main(QUALITATIVE, game), game) for game in GAMES],
    )
    pieces = [scores.main(QUALITATIVE, game) for game in PIECES]
    yield _claim(
        "piece-count",
        f"1 s, a = 0.25: Breakthrough, Cannon and Checkers, which count pieces, score above {CONSIDERABLY} on average",
        [_mean_above(pieces, CONSIDERABLY)],
    )


def _table_4_claims(scores: Scores) -> Iterator[Claim]:
    yield Claim(
        "each of the six games has a score above 0.5 with some bonus, weight and search time",
        statements(FOLDER)["improves-six-games"],
        at_least(
            len(GAMES),
            [[test for kind in KINDS for test in _stronger(scores.all_main(kind, game))] for game in GAMES],
            either=True,
        ),
    )
    yield Claim(
        "in at least 14 of 24 cases both bonuses together score higher than either of them alone",
        statements(FOLDER)["table-4-significant"],
        at_least(
            14,
            [
                _together(scores, game, weight, seconds)
                for game in GAMES
                for weight in COLUMNS
                for seconds in (ONE, FIVE)
            ],
        ),
    )
    controls = [scores.main(REPLACED, game) for game in GAMES]
    yield Claim(
        f"a score below 0.5 in at least {MOST_GAMES} of 6 games",
        statements(FOLDER)["table-4-quality-worse"],
        at_least(MOST_GAMES, [[] if score is None else [below(score, 0.5, "the score")] for score in controls]),
    )


TEXT_CLAIMS = {1: _table_1_claims, 3: _table_3_claims, 4: _table_4_claims}


def _measured(score: Estimate | None, what: str) -> Test:
    """Test that a score is above one half."""
    return unmeasured(f"this scale has no {what}") if score is None else above(score, 0.5, f"the score in {what}")


def _more(scores: Scores, kind: str, game: str) -> list[Test]:
    """Test that a' scores higher than the fixed weight, if both were measured."""
    online, fixed = scores.main(kind, game, ONLINE), scores.main(kind, game)
    if online is None or fixed is None:
        return []
    return [above(share_difference(online, fixed), 0.0, f"a' minus a = 0.25 in {game}")]


def _same_later(scores: Scores, kind: str, game: str) -> Test:
    early, late = scores.main(kind, game), scores.main(kind, game, FIXED, FIVE)
    if early is None or late is None:
        return unmeasured(f"this scale has no {SUBJECTS[kind]} in {game} at {ONE if early is None else FIVE} s")
    return within(share_difference(late, early), -SAME_SCORE, SAME_SCORE, f"5 s minus 1 s in {game}")


def _higher(scores: Scores) -> Test:
    """Test that the mean over the games is higher with the qualitative bonus."""
    means = []
    for kind in (QUALITATIVE, RELATIVE):
        found = [score for game in GAMES if (score := scores.main(kind, game)) is not None]
        if len(found) < len(GAMES):
            return unmeasured("this scale does not have all games")
        means.append(mean_of(found))
    return above(share_difference(*means), 0.0, "qualitative minus relative")


def _mean_above(scores: Sequence[Estimate | None], bound: float) -> Test:
    found = [score for score in scores if score is not None]
    if len(found) < len(scores):
        return unmeasured("this scale does not have all of them")
    return above(mean_of(found), bound, "the mean score")


def _together(scores: Scores, game: str, weight: str, seconds: int) -> list[Test]:
    """Test that both bonuses score higher than each of them, if all three cells were measured."""
    both, *alone = (scores.main(kind, game, weight, seconds) for kind in (BOTH, RELATIVE, QUALITATIVE))
    if both is None or None in alone:
        return []
    return [above(share_difference(both, one), 0.0, f"both minus one in {game}") for one in alone if one is not None]


def _most(kind: str, leaders: Sequence[str], scores: Scores) -> Iterator[Test]:
    """Yield tests that every leader has a higher score than every other game, at 1 s with the fixed weight."""
    found = {game: scores.main(kind, game) for game in GAMES}
    for leader in leaders:
        for other in (game for game in GAMES if game not in leaders):
            more, less = found[leader], found[other]
            if more is None or less is None:
                yield unmeasured(f"this scale has no {leader if more is None else other}")
            else:
                yield above(share_difference(more, less), 0.0, f"{leader} minus {other}")


def _figure(number: int, cells: Mapping[Cell, Estimate]) -> bytes:
    """Draw a panel per column of the table, with games along x. All panels have the same series, for their colours."""
    labels = list(dict.fromkeys(["measured", *(cell.reading_name or "measured" for cell in cells)]))
    given = []
    for column in dict.fromkeys(_column(cell) for cell in cells):
        here = {cell: score for cell, score in cells.items() if _column(cell) == column}
        found: dict[str, dict[str, Interval]] = {"published": {cell.game: cell.printed() for cell in here}}
        found |= {label: {next(iter(here)).game: NOTHING} for label in labels}
        for cell, score in here.items():
            found[cell.reading_name or "measured"][cell.game] = score
        seconds = next(iter(here)).seconds
        name = {"q": "quality alone", "a'": "a'", "0.25": "a = 0.25"}[column.partition(",")[0]]
        given.append(Strip(f"Table {number}: {seconds} s, {name}", found, "score against no bonus", 0.5))
    return strips(given, columns=1)
