"""Announces the time limits of searches (``time_limits``): a function of the game may never return."""

from __future__ import annotations

from collections.abc import Callable

from ramify.agents.budgets.budget import Budget
from ramify.time_limits import Watch, time_limit

RunPart = Callable[[Budget, Callable[[], bool], Callable[[], float]], str]


def announced(run: RunPart) -> RunPart:
    """Return ``run`` with its time limits announced; ``run`` itself if nobody watches."""
    if Watch.announce is None:
        return run

    def run_announced(budget: Budget, go_on: Callable[[], bool], now: Callable[[], float]) -> str:
        if budget.seconds is None:
            return run(budget, go_on, now)
        with time_limit(budget.seconds):
            return run(budget, go_on, now)

    return run_announced
