"""The same time for every move."""

from dataclasses import dataclass, replace
from typing import Self

from ramify.strategies.base import Timing
from ramify.strategies.constants import Positive


@dataclass(frozen=True)
class Fixed(Timing):
    """``each`` second of a move, while there is so much: a side that knows no clock and is stopped by it."""

    uncapped = True

    seconds_per_move: Positive = 0.5

    def seconds(self, left: float, increment: float) -> float:
        """Always the same."""
        del left, increment
        return self.seconds_per_move

    def scaled(self, factor: float) -> Self:
        """Its seconds are of a game of a minute."""
        return replace(self, seconds_per_move=self.seconds_per_move * factor)
