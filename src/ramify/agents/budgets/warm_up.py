"""Warm-up of rewards: in the first share of a search they only collect statistics."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy.typing as npt

from ramify.agents.budgets.budget import NO_LIMIT, Budget
from ramify.strategies.base import Reward


class WarmUp:
    """Notifies a reward when its share of the first run from a position is spent.

    The loop stops exactly at that simulation or call, so searches without a time limit stay reproducible. With several
    limits the first share spent counts. If memory is the only limit, the length of the search is unknown and the
    warm-up ends immediately.
    """

    def __init__(self, reward: Reward, block: npt.NDArray[Any]) -> None:
        self._reward = reward
        self._block = block
        self._clock: Callable[[], float] = float
        self.clear()

    def clear(self) -> None:
        """Restart the warm-up: the root has moved."""
        self._warming = True
        self._simulations = self._calls = NO_LIMIT
        self._time = math.inf

    def begin(self, budget: Budget, counters: npt.NDArray[Any], clock: Callable[[], float]) -> None:
        """Start a run with this budget."""
        if not self._warming:
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
        """Return the limits up to which the loop may run before the next check."""
        return (min(simulations, self._simulations), min(calls, self._calls)) if self._warming else (simulations, calls)

    def seconds_to_check(self, left: float | None) -> float | None:
        """Return the seconds until the next check; ``left``: remaining seconds of the run."""
        if not self._warming or self._time == math.inf:
            return left
        ahead = self._time - self._clock()
        return ahead if left is None else min(left, ahead)

    def check(self, counters: npt.NDArray[Any]) -> None:
        """Notify the reward if the warm-up is over."""
        if self._warming and (
            int(counters["simulations"][0]) >= self._simulations
            or int(counters["calls"][0]) >= self._calls
            or self._clock() >= self._time
        ):
            self._warming = False
            self._reward.on_warm_up_end(self._block)
