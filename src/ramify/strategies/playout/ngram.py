"""NST: sequences of up to three moves that did well are continued so (Tak, Winands and Björnsson 2012)."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ramify.contract.game import Game
from ramify.contract.move_classes import dense_classes
from ramify.core.choosing.by_grams import BY_GRAMS, GRAMS, MARKS, kernels
from ramify.core.engine.hashed import HashedMemory
from ramify.core.kernels.pointers import address
from ramify.errors import RamifyError
from ramify.strategies.averaging import USUAL, Averages, check_sampling
from ramify.strategies.constants import Chance, Limits
from ramify.strategies.kinds import MOST_PLIES, Choosing, PlyLimit, Table
from ramify.strategies.move_by_move import MoveByMove, record_of, refuse_joint_turns

MOST_KEYS = 1 << 63


class Grams(Table):
    """The hash table, and the single moves."""

    def __init__(self, game: Game, averages: Averages, longest: int, least: float) -> None:
        _, self.learn, self._age, self._forget = kernels()
        base = game.players * dense_classes(game) + 1
        if longest > 2 and base**3 >= MOST_KEYS:
            raise RamifyError(f"{game.name} has too many players and move classes for N-grams of three; use longest=2")
        self.averages = averages
        self._hashed = HashedMemory()
        self._marks = np.zeros(MARKS, np.uint64)
        self.block = record_of(
            GRAMS,
            averages=address(averages.block),
            length=longest,
            least=least,
            base=base,
            marks=address(self._marks),
            **self._hashed.numbers,
        )

    def forget(self) -> None:
        """Forget all."""
        self.averages.forget()
        self._forget(address(self.block), 0)

    def age(self) -> None:
        """Let the sums decay."""
        self.averages.age()
        self._age(address(self.block), 0)

    @property
    def nbytes(self) -> int:
        """Of both tables."""
        return self.averages.nbytes + self._marks.nbytes + int(self._hashed.nbytes(self.block))

    def seen(self) -> dict[int, tuple[float, float]]:
        """Counts and sums of the N-grams of two and three moves, by their keys."""
        found: dict[int, tuple[float, float]] = self._hashed.rows(self.block)
        return found


@dataclass(frozen=True)
class Ngram(MoveByMove):
    """As ``mast``, but by the mean over the move and the N-grams of up to ``longest`` moves that it ends.

    An N-gram of two or three moves counts once it has been seen ``threshold`` times.
    """

    longest: Annotated[int, Limits(1, 3, open=False)] = 3
    threshold: float = 7.0
    epsilon: Chance = USUAL
    temperature: float = 0.0
    start: float = 1.0
    decay: Chance = 0.2
    limit: PlyLimit = MOST_PLIES

    def __post_init__(self) -> None:
        check_sampling(self.epsilon, self.temperature)

    def choosing(self, game: Game) -> Choosing:
        """By tables of its own."""
        refuse_joint_turns(game, self.title())
        averages = Averages(game, self.epsilon, self.temperature, self.start, self.decay)
        table = Grams(game, averages, self.longest, self.threshold)
        return Choosing(BY_GRAMS, kernels()[0], table.block, (table,), recalls=True)
