"""A constant part of what is left."""

from dataclasses import dataclass
from typing import Annotated

from ramify.strategies.base import Timing
from ramify.strategies.constants import ValueRange


@dataclass(frozen=True)
class Share(Timing):
    """1/``part`` of what is left, and the increment: it never runs out; 25 leaves a third after 27 moves."""

    divisor: Annotated[float, ValueRange(1.0, open=False)] = 25.0

    def seconds(self, left: float, increment: float) -> float:
        """That part."""
        return left / self.divisor + increment
