"""Clock bonus time: extend a move according to the expected length of the rest of the game.

V. Scherer Putrich and F. Meneguzzi, Monte Carlo Algorithms for Time-Constrained General Game Playing, section 5.3. A
move starts with ``min_seconds``. When half of them are spent, it gets
``max(min_seconds, min(max_seconds, G / moves_left)) - min_seconds`` more (equation 4). G is the time left;
``moves_left`` is the player's mean number of moves in the completed playouts so far.
"""

from dataclasses import dataclass, replace
from typing import Self

from ramify.strategies.base import Timing
from ramify.strategies.constants import Positive

PART = 25.0  # at most 1/PART of the time left: fixed ``min_seconds`` would overspend in games of 2 G moves and more


@dataclass(frozen=True)
class Bonus(Timing):
    """``min_seconds`` to ``max_seconds`` per move, depending on the time and the expected moves left."""

    inspects_search = True

    min_seconds: Positive = 0.5
    max_seconds: Positive = 2.0

    def seconds(self, left: float, increment: float) -> float:
        """Return ``min_seconds``, but at most ``left / 25 + increment``."""
        return min(self.min_seconds, left / PART + increment)

    def extended_seconds(self, seconds: float, left: float, increment: float, moves_left: float) -> float:
        """Return ``left / moves_left + increment``, but at least ``seconds`` and at most ``max_seconds``."""
        return max(seconds, min(self.max_seconds, left / moves_left + increment))

    def scaled(self, factor: float) -> Self:
        """Scale both limits, whose defaults suit a game of one minute."""
        return replace(self, min_seconds=self.min_seconds * factor, max_seconds=self.max_seconds * factor)
