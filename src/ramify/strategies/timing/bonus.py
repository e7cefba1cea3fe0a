"""Clock bonus time: as long as the rest of the game allows, by the lengths of the playouts.

V. Scherer Putrich and F. Meneguzzi, Monte Carlo Algorithms for Time-Constrained General Game Playing, section 5.3. A
move has ``least`` seconds, and when half of them are spent ``max(least, min(most, G / moves_left)) - least`` more
(equation 4). G is the time left, and ``moves_left`` the mean number of own moves in the playouts so far that came to an
end.
"""

from dataclasses import dataclass, replace
from typing import Self

from ramify.strategies.base import Timing
from ramify.strategies.constants import Positive

PART = 25.0  # least shrinks to this part of what is left: a fixed least overspends in games of 2 G moves and more


@dataclass(frozen=True)
class Bonus(Timing):
    """Clock bonus time: from ``least`` to ``most`` seconds, by the time and the own moves that are left."""

    inspects_search = True

    min_seconds: Positive = 0.5
    max_seconds: Positive = 2.0

    def seconds(self, left: float, increment: float) -> float:
        """The least, or 1/25 of what is left and the increment where that is less."""
        return min(self.min_seconds, left / PART + increment)

    def extended_seconds(self, seconds: float, left: float, increment: float, moves_left: float) -> float:
        """An even part of what is left for each own move to come, between the least and the most."""
        return max(seconds, min(self.max_seconds, left / moves_left + increment))

    def scaled(self, factor: float) -> Self:
        """Its seconds are of a game of a minute."""
        return replace(self, min_seconds=self.min_seconds * factor, max_seconds=self.max_seconds * factor)
