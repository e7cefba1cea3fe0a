"""Results of a match as pairs of games: a pair, not a game, is the independent observation.

The two games of a pair start from the same position with swapped seats, so their results are correlated (Van den Bergh,
fishtest issue 348, measured about -0.15 in chess). Independent is the score of the pair: the mean of its games. With
wins, draws and losses it is 0, 1/4, 1/2, 3/4 or 1, and the five counts are the *pentanomial*. With more than two
players, a block of games over all seat permutations replaces the pair.
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
from ramify.old_names import old_members

Floats = NDArray[np.float64]

DIGITS = 12  # decimals of scores that wins, draws and losses can give: 1/6 + 1/2 must equal 1/2 + 1/6
FREE_DIGITS = 4  # decimals of other scores; bounds the size of the histogram and the likelihood's values


@old_members(lattice_counts="pentanomial")
@dataclass(frozen=True)
class PairedResults:
    """Histogram of pair scores from one player's point of view; equal strength is a score of 1/2.

    A game's score is any number in [0, 1]: 1 for a win, 1/2 for a draw, with several players the share of opponents
    beaten. `scores` are the distinct pair scores in ascending order, `counts` how often each occurred. `unfinished`
    holds games of incomplete pairs. They count only in `score`, the plain result: a single game has the advantage of
    its seat and no variance between pairs.
    """

    scores: tuple[float, ...] = ()
    counts: tuple[int, ...] = ()
    games_per_pair: int = 2
    unfinished: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if len(self.scores) != len(self.counts) or any(count < 1 for count in self.counts):
            raise RamifyError("each distinct pair score needs a count of at least 1")
        if self.games_per_pair < 1:
            raise RamifyError(f"a pair has at least 1 game, not {self.games_per_pair}")
        for score in (*self.scores, *self.unfinished):
            if not 0 <= score <= 1:
                raise RamifyError(f"invalid score {score}: use numbers from 0 to 1")
        if list(self.scores) != sorted({_rounded(score, self.games_per_pair) for score in self.scores}):
            raise RamifyError("pair scores must be distinct, ascending and rounded: use from_pair_scores for raw ones")

    @classmethod
    def from_games(cls, pairs: Iterable[Sequence[float]], games_per_pair: int = 2) -> Self:
        """Build results from the game scores of each pair. Games of incomplete pairs go to `unfinished`."""
        finished: list[float] = []
        unfinished: list[float] = []
        for games in pairs:
            if len(games) > games_per_pair:
                raise RamifyError(f"a pair has {games_per_pair} games, not {len(games)}")
            if len(games) == games_per_pair:
                finished.append(math.fsum(games) / games_per_pair)
            else:
                unfinished.extend(games)
        return cls.from_pair_scores(finished, games_per_pair, unfinished)

    @classmethod
    def from_pair_scores(
        cls, scores: Iterable[float], games_per_pair: int = 2, unfinished: Iterable[float] = ()
    ) -> Self:
        """Build results from the mean score of each finished pair.

        Scores other than multiples of half a point are rounded to 4 decimals.
        """
        histogram = Counter(_rounded(score, games_per_pair) for score in scores)
        return cls._from_histogram(histogram, games_per_pair, tuple(unfinished))

    @classmethod
    def from_counts(cls, counts: Sequence[int], games_per_pair: int = 2) -> Self:
        """Build results from the pentanomial (n-nomial for pairs of k games): counts by pair score, lowest first."""
        lattice = lattice_scores(games_per_pair)
        if len(counts) != len(lattice):
            raise RamifyError(f"pairs of {games_per_pair} games have {len(lattice)} counts, not {len(counts)}")
        if any(count < 0 for count in counts):
            raise RamifyError(f"counts cannot be negative: {list(counts)}")
        return cls._from_histogram(Counter(dict(zip(lattice, counts, strict=True))), games_per_pair, ())

    @classmethod
    def _from_histogram(cls, histogram: Counter[float], games_per_pair: int, unfinished: tuple[float, ...]) -> Self:
        seen = sorted((score, count) for score, count in histogram.items() if count)
        return cls(tuple(s for s, _ in seen), tuple(int(c) for _, c in seen), games_per_pair, unfinished)

    def __add__(self, other: "PairedResults") -> "PairedResults":
        if self.games_per_pair != other.games_per_pair:
            raise RamifyError("cannot add results with different numbers of games per pair")
        histogram = Counter(self.histogram)
        histogram.update(other.histogram)
        return self._from_histogram(histogram, self.games_per_pair, self.unfinished + other.unfinished)

    def mirrored(self) -> "PairedResults":
        """Return the same match from the opponent's point of view."""
        mirrored = Counter({_rounded(1 - score, self.games_per_pair): count for score, count in self.histogram.items()})
        return self._from_histogram(mirrored, self.games_per_pair, tuple(1 - score for score in self.unfinished))

    @property
    def histogram(self) -> dict[float, int]:
        """Count of each pair score."""
        return dict(zip(self.scores, self.counts, strict=True))

    @cached_property
    def pairs(self) -> int:
        """Number of finished pairs: the sample size of every interval and test."""
        return sum(self.counts)

    @property
    def games(self) -> int:
        """Number of games, including those of incomplete pairs."""
        return self.pairs * self.games_per_pair + len(self.unfinished)

    @property
    def score(self) -> float:
        """Mean score over all games; NaN before the first."""
        total = self.games_per_pair * math.fsum(s * c for s, c in self.histogram.items()) + math.fsum(self.unfinished)
        return total / self.games if self.games else math.nan

    @cached_property
    def pair_score(self) -> float:
        """Mean score over finished pairs, free of seat advantage; NaN before the first."""
        return math.fsum(s * c for s, c in self.histogram.items()) / self.pairs if self.pairs else math.nan

    @cached_property
    def squares(self) -> float:
        """Sum of squared deviations of pairs from `pair_score`; exactly 0 if all pairs are equal."""
        if len(self.scores) < 2:
            return 0.0
        return math.fsum(c * (s - self.pair_score) ** 2 for s, c in self.histogram.items())

    @property
    def pair_scores(self) -> Floats:
        """Score of every finished pair, ascending."""
        return np.repeat(np.asarray(self.scores, dtype=np.float64), self.counts)

    @property
    def pentanomial(self) -> tuple[int, ...]:
        """Counts of the pair scores that wins, draws and losses can give, lowest first; five for pairs of two games."""
        lattice = lattice_scores(self.games_per_pair)
        if not set(self.scores) <= set(lattice):
            raise RamifyError("no pentanomial: some games were not won, drawn or lost")
        return tuple(self.histogram.get(score, 0) for score in lattice)


@cache
def lattice_scores(games_per_pair: int) -> tuple[float, ...]:
    """Return the pair scores that wins, draws and losses can give, ascending."""
    return tuple(round(half_points / (2 * games_per_pair), DIGITS) for half_points in range(2 * games_per_pair + 1))


def _rounded(score: float, games_per_pair: int) -> float:
    exact = round(float(score), DIGITS)
    return exact if exact in lattice_scores(games_per_pair) else round(exact, FREE_DIGITS)
