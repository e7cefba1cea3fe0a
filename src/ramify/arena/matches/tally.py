"""The score so far, from finished games in whatever order they come.

Pairs are the unit: a pair counts when all its games are there. A sequential test looks at the finished *prefix* of
pairs only, so that its outcome does not depend on which worker was quicker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from ramify.arena.matches.rows import COLUMNS
from ramify.arena.matches.schedule import Pairing
from ramify.arena.matches.standing import Standing
from ramify.runs.driver import Aggregator
from ramify.runs.jobs import Record
from ramify.statistics.pairs import PairedResults
from ramify.statistics.sprt import Sprt

PAIRING, PAIR, LEG, SCORE = (COLUMNS.index(name) for name in ("pairing", "pair", "leg", "score"))
EVERY_PAIR = 128  # a test looks after each of the first pairs, then ever more rarely: a look costs milliseconds


class Tally:
    """Counts the games of one pairing."""

    def __init__(self, pairing: Pairing, test: Sprt | None = None) -> None:
        self.pairing = pairing
        self.test = test
        self.size = len(pairing.seatings)
        self.games = 0  # that came in, also beyond the end of a test
        self._open: dict[int, dict[int, float]] = {}  # pair -> leg -> score, of pairs that do not count yet
        self._finished: Counter[float] = Counter()  # scores of the pairs that count
        self._outcomes: Counter[int] = Counter()  # 1, 0, -1 of their games
        self._prefix = 0  # with a test, pairs below this one count
        self.decided = False

    def add(self, record: Record) -> None:
        """Count a game."""
        self.games += 1
        legs = self._open.setdefault(record[PAIR], {})
        legs[record[LEG]] = record[SCORE]
        if self.test is None:
            if len(legs) == self.size:
                self._count(record[PAIR])
            return
        while not self.decided and len(self._open.get(self._prefix, ())) == self.size:
            self._count(self._prefix)
            self._prefix += 1
            if sprt_tests_after(self._prefix):
                self.decided = self.test.decide(self._results(())) != "continue"

    def _count(self, pair: int) -> None:
        scores = [score for _, score in sorted(self._open.pop(pair).items())]
        self._finished[_pair_score(tuple(scores))] += 1
        self._outcomes.update((score > 0.5) - (score < 0.5) for score in scores)

    def _results(self, unfinished: Iterable[float]) -> PairedResults:
        seen = sorted(self._finished.items())
        return PairedResults(tuple(s for s, _ in seen), tuple(c for _, c in seen), self.size, tuple(unfinished))

    def standing(self) -> Standing:
        """Where the pairing stands. Without a test, games of unfinished pairs count in the plain score."""
        unfinished = [] if self.test else [score for legs in self._open.values() for score in legs.values()]
        results = self._results(unfinished)
        outcomes = self._outcomes + Counter((score > 0.5) - (score < 0.5) for score in unfinished)
        test = None if self.test is None else self.test.state(results)
        return Standing(self.pairing, results, outcomes[1], outcomes[0], outcomes[-1], test)


class ScoreAggregator(Aggregator):
    """The score of every pairing of a run."""

    def __init__(self, tallies: list[Tally]) -> None:
        self.tallies = tallies
        self._by_number = dict(enumerate(tallies))

    def add(self, records: Iterable[Record]) -> None:
        """Keep the score."""
        for record in records:
            if record[PAIRING] in self._by_number:
                self._by_number[record[PAIRING]].add(record)

    def add_pairing(self, number: int, tally: Tally, stored: Iterable[Record]) -> Tally:
        """Keep the score of one more pairing, which has this number and these games already."""
        self.tallies.append(tally)
        self._by_number[number] = tally
        self.add(stored)
        return tally

    @property
    def done(self) -> int:
        """Games finished, also in earlier sittings."""
        return sum(tally.games for tally in self.tallies)

    @property
    def is_decided(self) -> bool:
        """Whether every sequential test has come to an end."""
        return all(tally.decided for tally in self.tallies)

    def standings(self) -> list[Standing]:
        """How each pairing stands."""
        return [tally.standing() for tally in self.tallies]


@lru_cache(maxsize=4096)
def _pair_score(scores: tuple[float, ...]) -> float:
    """The score of a pair, rounded as results want it."""
    return PairedResults.from_games([scores], len(scores)).scores[0]


def sprt_tests_after(pairs: int) -> bool:
    """Whether a test looks after so many pairs: a fixed plan, so that the same games always stop at the same pair."""
    step = 1
    while pairs > EVERY_PAIR * step:
        step *= 2
    return pairs % step == 0
