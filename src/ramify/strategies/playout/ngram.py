"""NST: prefer moves that complete sequences of up to three moves that did well (Tak, Winands and Björnsson 2012)."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ramify.contract.game import Game
from ramify.contract.move_classes import table_classes
from ramify.core.kernels.pointers import address
from ramify.core.playouts.hash_table import HashTableMemory
from ramify.core.playouts.ngram_policy import (
    EPSILON_GREEDY_NGRAM,
    GIBBS_NGRAM,
    GRAMS,
    MARKS,
    choosing_kernel,
    kernels,
    sampling_kernel,
)
from ramify.errors import RamifyError
from ramify.strategies.average_table import DEFAULT_EPSILON, AverageTable, check_learn, check_sampling
from ramify.strategies.base import MAX_PLIES, BoundPlayoutPolicy, LearnedTable, PlyLimit
from ramify.strategies.constants import Probability, ValueRange
from ramify.strategies.policy_playout import PolicyPlayout, record_of, reject_simultaneous

MAX_KEYS = 1 << 63
MAX_PAIRS = 1 << 20  # entries of a dense table of pairs; more are hashed
MAX_MEANS = 1 << 22  # means in the rows of moves that follow a pair


class NgramTable(LearnedTable):
    """Averages of single moves, of pairs (dense, unless there are too many) and of hashed longer sequences."""

    def __init__(self, averages: AverageTable, players: int, longest: int, least: float, decay: float) -> None:
        self.learn, self._decay, self._clear = kernels()
        entries = len(averages.means)
        classes = entries // players
        self.averages = averages
        self.learns_result = averages.learns_result
        few = longest > 1 and entries**2 <= MAX_PAIRS
        self.pairs = AverageTable(entries**2, np.nan, decay, least=least) if few else None
        self._hashed = HashTableMemory()
        self._marks = np.zeros(MARKS, np.uint64)
        self._base = entries + 1
        self._make_rows(classes, entries**2 * players)
        numbers = {"players": players, "classes": classes, "length": longest, "min_count": least, "base": self._base}
        self.block = record_of(
            GRAMS,
            **numbers,
            averages=address(averages.block),
            pairs=address(self.pairs.block) if self.pairs else 0,
            marks=address(self._marks),
            row_of=address(self._row_of),
            rows=address(self._rows),
            owners=address(self._owners),
            given=1,
            max_rows=len(self._rows),
            **self._hashed.numbers,
        )

    def _make_rows(self, classes: int, pairs: int) -> None:
        """Allocate rows of means by class for the moves that follow a pair. Pairs without a row share row 0."""
        self._rows = np.empty((max(1, MAX_MEANS // classes if self.pairs else 0), classes))
        self._rows[0] = np.nan
        self._row_of = np.zeros(pairs if self.pairs else 0, np.int32)
        self._owners = np.zeros(len(self._rows), np.int64)

    def clear(self) -> None:
        for table in self._dense:
            table.clear()
        self._clear(address(self.block), 0)

    def decay(self) -> None:
        for table in self._dense:
            table.decay()
        self._decay(address(self.block), 0)

    @property
    def _dense(self) -> list[AverageTable]:
        return [table for table in (self.averages, self.pairs) if table]

    @property
    def nbytes(self) -> int:
        rows = int(self.block["given"][0]) * int(self._rows[0].nbytes)
        hashed = int(self._hashed.nbytes(self.block)) + self._marks.nbytes
        return sum(table.nbytes for table in self._dense) + self._row_of.nbytes + rows + hashed

    def seen(self) -> dict[int, tuple[float, float]]:
        """Return counts and sums of the N-grams of two and three moves, by key: moves as digits to ``_base``."""
        found: dict[int, tuple[float, float]] = self._hashed.entries(self.block)
        if self.pairs:
            for pair in self.pairs.sums[:, 0].nonzero()[0]:
                first, second = divmod(int(pair), self._base - 1)
                found[(first + 1) * self._base + second] = tuple(self.pairs.sums[pair])
        return found


@dataclass(frozen=True)
class Ngram(PolicyPlayout):
    """Like ``mast``, but averages the means of the move and of the N-grams of up to ``max_length`` moves it completes.

    An N-gram of two or three moves counts once it has been seen ``min_visits`` times.
    """

    batchable = True
    max_length: Annotated[int, ValueRange(1, 3, open=False)] = 3
    min_visits: float = 7.0
    epsilon: Probability = DEFAULT_EPSILON
    temperature: float = 0.0
    initial: float = 1.0
    decay: Probability = 0.2
    learn: str = "result"
    limit: PlyLimit = MAX_PLIES

    def __post_init__(self) -> None:
        check_sampling(self.epsilon, self.temperature)
        check_learn(self.learn)

    def policy(self, game: Game) -> BoundPlayoutPolicy:
        reject_simultaneous(game, self.title())
        entries = game.players * table_classes(game)
        if self.max_length > 2 and (entries + 1) ** 3 >= MAX_KEYS:
            raise RamifyError(
                f"{game.name} has too many players and move classes for N-grams of three moves: use max_length=2"
            )
        averages = AverageTable(
            entries,
            self.initial,
            self.decay,
            epsilon=self.epsilon,
            temperature=self.temperature,
            learn=self.learn,
        )
        table = NgramTable(averages, game.players, self.max_length, self.min_visits, self.decay)
        if self.temperature:
            return BoundPlayoutPolicy(GIBBS_NGRAM, sampling_kernel(), table.block, (table,), uses_history=True)
        return BoundPlayoutPolicy(EPSILON_GREEDY_NGRAM, choosing_kernel(), table.block, (table,), uses_history=True)
