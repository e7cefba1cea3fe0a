"""Aggregate the scores of finished games, in any order of arrival.

The unit is a pair: it counts once all its games are finished. A sequential test only uses the finished *prefix* of
pairs, so its decision does not depend on the speed of the workers.
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
EVERY_PAIR = 128  # test after each of the first pairs, then less and less often: a test takes milliseconds


class Tally:
    """Aggregates the games of one pairing."""

    def __init__(self, pairing: Pairing, test: Sprt | None = None) -> None:
        self.pairing = pairing
        self.test = test
        self.size = len(pairing.seatings)
        self.games = 0  # all games, including those after the test stopped
        self._open: dict[int, dict[int, float]] = {}  # pair -> leg -> score, of unfinished pairs
        self._finished: Counter[float] = Counter()  # scores of the counted pairs
        self._outcomes: Counter[int] = Counter()  # 1, 0, -1 of their games
        self._prefix = 0  # with a test, pairs before this one count
        self.decided = False

    def add(self, record: Record) -> None:
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
        """Return the current standing. Without a test, games of unfinished pairs count in the mean score."""
        unfinished = [] if self.test else [score for legs in self._open.values() for score in legs.values()]
        results = self._results(unfinished)
        outcomes = self._outcomes + Counter((score > 0.5) - (score < 0.5) for score in unfinished)
        test = None if self.test is None else self.test.state(results)
        return Standing(self.pairing, results, outcomes[1], outcomes[0], outcomes[-1], test)


class ScoreAggregator(Aggregator):
    """Aggregates the scores of all pairings of a run."""

    def __init__(self, tallies: list[Tally]) -> None:
        self.tallies = tallies
        self._by_number = dict(enumerate(tallies))

    def add(self, records: Iterable[Record]) -> None:
        for record in records:
            if record[PAIRING] in self._by_number:
                self._by_number[record[PAIRING]].add(record)

    def add_pairing(self, number: int, tally: Tally, stored: Iterable[Record]) -> Tally:
        """Add a pairing with this number and its stored games. Return its tally."""
        self.tallies.append(tally)
        self._by_number[number] = tally
        self.add(stored)
        return tally

    @property
    def done(self) -> int:
        """Number of finished games, including earlier sessions."""
        return sum(tally.games for tally in self.tallies)

    @property
    def is_decided(self) -> bool:
        """Whether every sequential test has stopped."""
        return all(tally.decided for tally in self.tallies)

    def standings(self) -> list[Standing]:
        return [tally.standing() for tally in self.tallies]


@lru_cache(maxsize=4096)
def _pair_score(scores: tuple[float, ...]) -> float:
    """Score of a pair, rounded as in ``PairedResults``."""
    return PairedResults.from_games([scores], len(scores)).scores[0]


def sprt_tests_after(pairs: int) -> bool:
    """Whether to test after this many pairs. The plan is fixed, so the same games always stop at the same pair."""
    step = 1
    while pairs > EVERY_PAIR * step:
        step *= 2
    return pairs % step == 0
