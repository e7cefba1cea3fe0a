"""The score so far, from finished games in whatever order they come.

Pairs are the unit: a pair counts when all its games are there. A sequential test looks at the finished *prefix* of
pairs only, so that its outcome does not depend on which worker was quicker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from ramify.arena.matches.rows import COLUMNS, Record
from ramify.arena.matches.schedule import Pairing
from ramify.arena.statistics.inference import Interval, anytime_interval, elo, los, score_interval
from ramify.arena.statistics.pairs import PairedResults
from ramify.arena.statistics.sprt import Sprt, SprtState

PAIRING, PAIR, LEG, SCORE = (COLUMNS.index(name) for name in ("pairing", "pair", "leg", "score"))
EVERY_PAIR = 128  # a test looks after each of the first pairs, then ever more rarely: a look costs milliseconds


@dataclass(frozen=True)
class Standing:
    """How one pairing stands."""

    pairing: Pairing
    results: PairedResults
    wins: int  # games of the first agent with a score above 1/2
    draws: int
    losses: int
    test: SprtState | None = None

    @property
    def games(self) -> int:
        """Games counted."""
        return self.results.games

    @property
    def score(self) -> float:
        """Of the first agent, 0 to 1; not a number before the first game."""
        return self.results.score

    @property
    def interval(self) -> Interval:
        """95 % for the expected score; with a sequential test, one that holds although the test chose when to stop."""
        return score_interval(self.results) if self.test is None else anytime_interval(self.results)

    @property
    def elo(self) -> Interval:
        """The lead in Elo, by the same interval."""
        return Interval(*(elo(score) for score in self.interval))

    @property
    def los(self) -> float:
        """The likelihood that the first agent is the stronger one, in a match whose length was fixed beforehand."""
        return los(self.results)


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
            if looks_after(self._prefix):
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


@lru_cache(maxsize=4096)
def _pair_score(scores: tuple[float, ...]) -> float:
    """The score of a pair, rounded as results want it."""
    return PairedResults.from_games([scores], len(scores)).scores[0]


def looks_after(pairs: int) -> bool:
    """Whether a test looks after so many pairs: a fixed plan, so that the same games always stop at the same pair."""
    step = 1
    while pairs > EVERY_PAIR * step:
        step *= 2
    return pairs % step == 0
