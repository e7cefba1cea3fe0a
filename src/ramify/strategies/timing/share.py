"""A constant fraction of the time left."""

from dataclasses import dataclass
from typing import Annotated

from ramify.strategies.base import Timing
from ramify.strategies.constants import ValueRange


@dataclass(frozen=True)
class Share(Timing):
    """1/``divisor`` of the time left, plus the increment. It never runs out; 25 leaves a third after 27 moves."""

    divisor: Annotated[float, ValueRange(1.0, open=False)] = 25.0

    def seconds(self, left: float, increment: float) -> float:
        return left / self.divisor + increment
