"""Exhibit of sections 6.2 and 7: how length and quality of simulations relate to their outcome and to the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from ramify.experiments.figures.strips import Strip, strips
from ramify.experiments.framework.claims import Claim, Test, above, below, judge, unmeasured
from ramify.experiments.framework.estimates import format_interval, mean_difference, share_difference
from ramify.experiments.framework.findings import DataTable, Exhibit, FigureSpec
from ramify.experiments.framework.published_cells import mean_of
from ramify.experiments.framework.statements import statements
from ramify.experiments.papers.pepels_2014.correlations import MEASURES, Correlations
from ramify.experiments.papers.pepels_2014.counting import at_least
from ramify.experiments.papers.pepels_2014.players import FOLDER, GAMES
from ramify.experiments.papers.pepels_2014.tables import LONGER

CORRELATED = 0.01  # smallest share of variance that counts as a correlation: |r| = 0.1
MOST_GAMES = 4  # most of six games


def lengths_exhibit(watched: Mapping[str, Correlations]) -> Exhibit:
    """Return how length and quality correlate with the outcome, and how simulations' lengths relate to the game's."""
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
        "Lengths",
        "how length and quality of simulations relate to their outcome and to the game",
        list(_claims(watched)),
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
                partial(_figure, watched),
            )
        ],
    )


def _claims(watched: Mapping[str, Correlations]) -> Iterator[Claim]:
    def claim(name: str, sentence: str, *tests: Test) -> Claim:
        return Claim(sentence, statements(FOLDER)[name], judge(*tests))

    yield claim(
        "breakthrough-lengths",
        "Breakthrough: simulations of the first search are shorter than the game",
        below(watched["breakthrough"].ratio, 1.0, "length over the game's")
        if "breakthrough" in watched
        else unmeasured("this scale has no breakthrough"),
    )
    yield claim(
        "lengths-differ-most",
        "in each of them the first search's lengths miss the game's by a larger share than in any of the others",
        *_length_error_tests(watched),
    )
    yield claim(
        "pentalath-restricted",
        "lengths vary less in Pentalath than in each of the other five games",
        *_least_spread("pentalath", watched),
    )
    yield Claim(
        f"length and quality each explain more than {CORRELATED} of the outcome's variance in at least {MOST_GAMES} of"
        " 6 games",
        statements(FOLDER)["correlated"],
        at_least(MOST_GAMES, [_correlated(watched, game) for game in GAMES]),
    )
    yield claim(
        "spread-helps",
        "lengths vary more in the three games with the largest published gains than in the others, on average",
        _spread(watched),
    )


def _correlated(watched: Mapping[str, Correlations], game: str) -> list[Test]:
    if game not in watched:
        return []
    return [above(watched[game].explained[one], CORRELATED, f"the share in {game}") for one in MEASURES]


def _length_error_tests(watched: Mapping[str, Correlations]) -> Iterator[Test]:
    for leader in LONGER:
        for other in (game for game in GAMES if game not in LONGER):
            if leader not in watched or other not in watched:
                yield unmeasured(f"this scale has no {other if leader in watched else leader}")
                continue
            difference = mean_difference(watched[leader].length_errors, watched[other].length_errors)
            yield above(difference, 0.0, f"{leader} minus {other}")


def _least_spread(least: str, watched: Mapping[str, Correlations]) -> Iterator[Test]:
    for other in (game for game in GAMES if game != least):
        if least not in watched or other not in watched:
            yield unmeasured(f"this scale has no {other if least in watched else least}")
        else:
            yield below(share_difference(watched[least].spread, watched[other].spread), 0.0, f"{least} minus {other}")


def _spread(watched: Mapping[str, Correlations]) -> Test:
    if set(watched) < set(GAMES):
        return unmeasured("this scale does not have all games")
    more = mean_of([watched[game].spread for game in LONGER])
    less = mean_of([watched[game].spread for game in GAMES if game not in LONGER])
    return above(share_difference(more, less), 0.0, "the difference of the means")


def _figure(watched: Mapping[str, Correlations]) -> bytes:
    found = {measure: {game: one.correlation[measure] for game, one in watched.items()} for measure in MEASURES}
    title = "Length and quality of simulations"
    return strips([Strip(title, found, "correlation with a win", 0.0)])
