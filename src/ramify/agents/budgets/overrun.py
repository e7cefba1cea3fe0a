"""Searches whose time is up but that do not end, because a function of the game never returns.

Compiled code cannot be interrupted from within its process. A process that can be killed and replaced sets
``Watch.announce``; it is told how long each part of a search may take.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # the command line imports this module before anything else
    from collections.abc import Callable

    from ramify.agents.budgets.budget import Budget

    RunPart = Callable[[Budget, Callable[[], bool], Callable[[], float]], str]

# Seconds beyond its time after which a search counts as hanging. Busy machines overrun by much less.
OVERRUN_SECONDS = 10.0  # where a person waits
WORKER_OVERRUN_SECONDS = 60.0  # in a worker, where a game of another program may be slow


class Watch:
    """``announce`` is called with the seconds of each part of a search with a time limit, and with 0 at its end."""

    announce: Callable[[float], object] | None = None


def announced(run: RunPart) -> RunPart:
    """Return ``run`` with its time limits announced; ``run`` itself if nobody watches."""
    announce = Watch.announce
    if announce is None:
        return run

    def run_announced(budget: Budget, go_on: Callable[[], bool], now: Callable[[], float]) -> str:
        if budget.seconds is None:
            return run(budget, go_on, now)
        announce(budget.seconds)
        try:
            return run(budget, go_on, now)
        finally:
            announce(0.0)

    return run_announced
