"""The results of a match, kept as pairs of games because a pair, not a game, is the independent observation.

The two games of a pair start from the same position with the seats exchanged, so their results depend on each other
(Van den Bergh, fishtest issue 348, measured a correlation near -0.15 in chess). What is independent is the score of the
whole pair: the mean of its games. With wins, draws and losses it is 0, 1/4, 1/2, 3/4 or 1, and the five counts are the
*pentanomial*. With more than two players a block of games over all seat permutations plays the part of the pair.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ramify.errors import RamifyError

Floats = NDArray[np.float64]

DIGITS = 12  # digits of scores that wins, draws and losses can give: 1/6 + 1/2 must not differ from 1/2 + 1/6
FREE_DIGITS = 4  # digits of other scores, which bounds the histogram and keeps the likelihood's numbers in range


@dataclass(frozen=True)
class PairedResults:
    """A histogram of pair scores from one side's point of view; equal strength is a score of 1/2.

    A game's score is any number in [0, 1]: 1 for a win, 1/2 for a draw, or for several players the share of opponents
    beaten. `scores` are the distinct pair scores in ascending order and `counts` says how often each occurred.
    `unfinished` holds games whose pair is not complete. They count in `score`, the plain result that is printed, and
    nowhere else: one game has the advantage of its seat, and says nothing about the spread between pairs.
    """

    scores: tuple[float, ...] = ()
    counts: tuple[int, ...] = ()
    games_per_pair: int = 2
    unfinished: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if len(self.scores) != len(self.counts) or any(count < 1 for count in self.counts):
            raise RamifyError("Each distinct pair score needs one count of at least 1.")
        if self.games_per_pair < 1:
            raise RamifyError(f"A pair has at least 1 game, not {self.games_per_pair}.")
        for score in (*self.scores, *self.unfinished):
            if not 0 <= score <= 1:
                raise RamifyError(f"A score lies between 0 and 1, but one is {score}.")
        if list(self.scores) != sorted({_kept(score, self.games_per_pair) for score in self.scores}):
            raise RamifyError("Pair scores must be distinct, ascending and rounded; use from_pair_scores for raw ones.")

    @classmethod
    def from_games(cls, pairs: Iterable[Sequence[float]], games_per_pair: int = 2) -> Self:
        """From the game scores of each pair; a pair with games missing goes to `unfinished`."""
        finished: list[float] = []
        unfinished: list[float] = []
        for games in pairs:
            if len(games) > games_per_pair:
                raise RamifyError(f"A pair has {games_per_pair} games, but one was given with {len(games)}.")
            if len(games) == games_per_pair:
                finished.append(math.fsum(games) / games_per_pair)
            else:
                unfinished.extend(games)
        return cls.from_pair_scores(finished, games_per_pair, unfinished)

    @classmethod
    def from_pair_scores(
        cls, scores: Iterable[float], games_per_pair: int = 2, unfinished: Iterable[float] = ()
    ) -> Self:
        """From the mean score of each finished pair; scores that are not made of half points are kept to 4 digits."""
        histogram = Counter(_kept(score, games_per_pair) for score in scores)
        return cls._from_histogram(histogram, games_per_pair, tuple(unfinished))

    @classmethod
    def from_counts(cls, counts: Sequence[int], games_per_pair: int = 2) -> Self:
        """From the counts of equally spaced pair scores, lowest first: the pentanomial for pairs of two games."""
        lattice = lattice_scores(games_per_pair)
        if len(counts) != len(lattice):
            raise RamifyError(f"Pairs of {games_per_pair} games have {len(lattice)} counts, not {len(counts)}.")
        if any(count < 0 for count in counts):
            raise RamifyError(f"Counts cannot be negative: {list(counts)}.")
        return cls._from_histogram(Counter(dict(zip(lattice, counts, strict=True))), games_per_pair, ())

    @classmethod
    def _from_histogram(cls, histogram: Counter[float], games_per_pair: int, unfinished: tuple[float, ...]) -> Self:
        seen = sorted((score, count) for score, count in histogram.items() if count)
        return cls(tuple(s for s, _ in seen), tuple(int(c) for _, c in seen), games_per_pair, unfinished)

    def __add__(self, other: "PairedResults") -> "PairedResults":
        if self.games_per_pair != other.games_per_pair:
            raise RamifyError("Results with different numbers of games in a pair cannot be added.")
        histogram = Counter(self.histogram)
        histogram.update(other.histogram)
        return self._from_histogram(histogram, self.games_per_pair, self.unfinished + other.unfinished)

    def mirrored(self) -> "PairedResults":
        """The same match seen by the other side."""
        turned = Counter({_kept(1 - score, self.games_per_pair): count for score, count in self.histogram.items()})
        return self._from_histogram(turned, self.games_per_pair, tuple(1 - score for score in self.unfinished))

    @property
    def histogram(self) -> dict[float, int]:
        """How often each pair score occurred."""
        return dict(zip(self.scores, self.counts, strict=True))

    @cached_property
    def pairs(self) -> int:
        """The number of finished pairs, which is the sample size of every interval and test."""
        return sum(self.counts)

    @property
    def games(self) -> int:
        """All games played, those of unfinished pairs included."""
        return self.pairs * self.games_per_pair + len(self.unfinished)

    @property
    def score(self) -> float:
        """The plain score over all games; not a number before the first game."""
        total = self.games_per_pair * math.fsum(s * c for s, c in self.histogram.items()) + math.fsum(self.unfinished)
        return total / self.games if self.games else math.nan

    @cached_property
    def pair_score(self) -> float:
        """The mean over finished pairs, free of seat advantage; not a number before the first pair is finished."""
        return math.fsum(s * c for s, c in self.histogram.items()) / self.pairs if self.pairs else math.nan

    @cached_property
    def squares(self) -> float:
        """The sum over pairs of the squared distance from `pair_score`; exactly 0 when all pairs are alike."""
        if len(self.scores) < 2:
            return 0.0
        return math.fsum(c * (s - self.pair_score) ** 2 for s, c in self.histogram.items())

    @property
    def pair_scores(self) -> Floats:
        """Every finished pair's score, ascending."""
        return np.repeat(np.asarray(self.scores, dtype=np.float64), self.counts)

    @property
    def pentanomial(self) -> tuple[int, ...]:
        """The counts of the equally spaced scores that wins, draws and losses give: the pentanomial for two games."""
        lattice = lattice_scores(self.games_per_pair)
        if not set(self.scores) <= set(lattice):
            raise RamifyError("These pair scores are not made of wins, draws and losses, so they have no pentanomial.")
        return tuple(self.histogram.get(score, 0) for score in lattice)


@cache
def lattice_scores(games_per_pair: int) -> tuple[float, ...]:
    """The pair scores that wins, draws and losses can give, ascending."""
    return tuple(round(half_points / (2 * games_per_pair), DIGITS) for half_points in range(2 * games_per_pair + 1))


def _kept(score: float, games_per_pair: int) -> float:
    fine = round(float(score), DIGITS)
    return fine if fine in lattice_scores(games_per_pair) else round(fine, FREE_DIGITS)
