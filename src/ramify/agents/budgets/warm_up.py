"""The first share of a search, in which a reward only collects: ended in time, whatever the budget is counted in."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy.typing as npt

from ramify.agents.budgets.budget import NO_LIMIT, Budget
from ramify.strategies.base import Reward


class WarmUp:
    """Tells a reward when its share of the first run from a position is spent.

    The loop is made to stop exactly there, so searches that time does not limit stay repeatable. With several limits
    the first share to be spent counts; where memory alone limits the search, nothing is known of its length, and it
    is warm at once.
    """

    def __init__(self, reward: Reward, block: npt.NDArray[Any]) -> None:
        self._reward = reward
        self._block = block
        self._clock: Callable[[], float] = float
        self.forget()

    def forget(self) -> None:
        """The root has moved."""
        self._cold = True
        self._simulations = self._calls = NO_LIMIT
        self._time = math.inf

    def begin(self, budget: Budget, counters: npt.NDArray[Any], clock: Callable[[], float]) -> None:
        """A run begins with this budget."""
        if not self._cold:
            return
        share = self._reward.warm_up
        self._clock = clock
        if budget.simulations is not None:
            self._simulations = int(counters["simulations"][0]) + round(share * budget.simulations)
        if budget.calls is not None:
            self._calls = int(counters["calls"][0]) + round(share * budget.calls)
        if budget.seconds is not None:
            self._time = clock() + share * budget.seconds
        if budget.simulations is None and budget.calls is None and budget.seconds is None:
            self._simulations = 0
        self.check(counters)

    def limits(self, simulations: int, calls: int) -> tuple[int, int]:
        """How far the loop may go before somebody looks."""
        return (min(simulations, self._simulations), min(calls, self._calls)) if self._cold else (simulations, calls)

    def seconds_to_check(self, left: float | None) -> float | None:
        """The seconds left until somebody must look, given those that the run has left."""
        if not self._cold or self._time == math.inf:
            return left
        ahead = self._time - self._clock()
        return ahead if left is None else min(left, ahead)

    def check(self, counters: npt.NDArray[Any]) -> None:
        """Tell the reward if it is time."""
        if self._cold and (
            int(counters["simulations"][0]) >= self._simulations
            or int(counters["calls"][0]) >= self._calls
            or self._clock() >= self._time
        ):
            self._cold = False
            self._reward.on_warm_up_end(self._block)
