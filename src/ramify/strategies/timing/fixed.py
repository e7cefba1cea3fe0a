"""The same time for every move."""

from dataclasses import dataclass, replace
from typing import Self

from ramify.strategies.base import Timing
from ramify.strategies.constants import Positive


@dataclass(frozen=True)
class Fixed(Timing):
    """``seconds_per_move`` for every move, ignoring the clock until it runs out."""

    uncapped = True

    seconds_per_move: Positive = 0.5

    def seconds(self, left: float, increment: float) -> float:
        del left, increment
        return self.seconds_per_move

    def scaled(self, factor: float) -> Self:
        """Scale ``seconds_per_move``, whose default suits a game of one minute."""
        return replace(self, seconds_per_move=self.seconds_per_move * factor)
