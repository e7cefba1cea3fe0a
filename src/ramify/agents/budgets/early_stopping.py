"""Checks a running search between parts of its budget: extend its time, or stop because its choice is settled.

Running a budget in parts builds the same tree as running it at once, unless an allocation inspects the root in between.
Parts counted in simulations do not depend on the machine: a search that stops early always stops at the same
simulation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ramify.agents.budgets.budget import Budget
from ramify.agents.budgets.move_time import MoveTime

if TYPE_CHECKING:
    from ramify.agents.search.search import Search

CHECKS_PER_SEARCH = 32
MIN_CHECK_SIMULATIONS = 32  # simulations (or calls) between two checks: a check takes as long as some of them
MIN_CHECK_SECONDS = 0.002  # between two checks
EXTENSION_STEPS = 10  # an unsettled recommendation spends its extension in this many steps
SPEEDUP_ALLOWANCE = 1.5  # a search limited by seconds may become this much faster than it has been so far


class BudgetParts:
    """Iterates over the parts of one run's budget, and checks the running search between them if needed.

    The caller runs each part and writes its stop reason to ``stopped``. After the last part ``stopped`` is the stop
    reason of the whole run.
    """

    def __init__(self, search: Search, budget: Budget, control: MoveTime | None) -> None:
        self.search, self.budget, self.control = search, budget, control
        self.stopped = ""

    def __iter__(self) -> Iterator[Budget]:
        yield from self._planned()
        if self.search.agent.recommend.extra_budget and self.stopped in ("simulations", "seconds", "calls"):
            yield from self._extension()

    def _planned(self) -> Iterator[Budget]:
        """Yield the budget, split where the timing or ``stop_early`` checks the search.

        An allocation that needs its whole budget in advance cannot be extended while it runs. Its timing uses the
        playouts of the previous search instead; the first search of a game gets the initial seconds.
        """
        search, budget, control = self.search, self.budget, self.control
        inspects = control is not None and control.timing.inspects_search
        if search.agent.allocation.inspects_root:
            if inspects and control is not None and search.expected_moves_left is not None:
                budget = replace(budget, seconds=control.extended(max(1.0, search.expected_moves_left - 1)))
            yield budget
        elif not inspects and not search.agent.stop_early:
            yield budget
        else:
            stopping = EarlyStopping(search, budget, control)
            reason = None
            while reason is None:
                yield stopping.part()
                reason = stopping.stop_reason(self.stopped)
            self.stopped = reason

    def _extension(self) -> Iterator[Budget]:
        """Yield steps of the extra budget until the recommendation is settled."""
        factor, ended = self.search.agent.recommend.extra_budget, self.stopped
        for more in self.budget.split(
            factor if self.control is None else min(factor, 1.0), EXTENSION_STEPS
        ):  # a clock grants at most twice the time
            if all(moves.settled() for moves in self.search.requested_moves()):
                return
            yield more
            if self.stopped in ("cancelled", "memory", "proven"):
                return
            self.stopped = ended


def moves_left(search: Search) -> float | None:
    """Estimate the moves that the player to move still has to make, including this one, from finished playouts.

    This is the mean number of plies from the root to the end, including chance plies, divided by the number of players
    and rounded up as if every other player moved once more: too many is safer than too few. With simultaneous moves
    every ply is a move of the player. None if no playout has finished.
    """
    ended = search.simulations() - search.total("cut_playouts")
    plies = search.calls() - search.total("cut_calls")
    per_round = search.workers[0].shape.plies_per_round
    return (plies / ended + per_round - 1) / per_round if ended else None


class EarlyStopping:
    """Splits the budget of one run into parts and decides after each part whether to stop."""

    def __init__(self, search: Search, budget: Budget, control: MoveTime | None) -> None:
        self.search = search
        self.budget = budget
        # None once the timing has inspected the search
        self.control = control if control is not None and control.timing.inspects_search else None
        self.began = search.now()
        self._exhausting: set[str] = set()  # limits that the running part uses up
        self._at_half_time = False  # whether the running part ends where the timing inspects the search

    def part(self) -> Budget:
        """Return the next part of the budget."""
        left = self._remaining()
        wanted = dict(left)
        half = math.nan
        if self.control is not None and "seconds" in left:
            half = max(self.control.seconds / 2 - self._seconds(), 1e-9)
            wanted["seconds"] = min(left["seconds"], half)
        if self.search.agent.stop_early and left:
            name = next(iter(left))
            wanted[name] = min(wanted[name], self._to_next_check(name))
        self._at_half_time = wanted.get("seconds") == half
        self._exhausting = {name for name in left if wanted[name] == left[name]}
        whole: dict[str, Any] = {name: value if name == "seconds" else int(value) for name, value in wanted.items()}
        return replace(self.budget, **whole)

    def stop_reason(self, stopped: str) -> str | None:
        """Return the stop reason of the run, or None if it continues. ``stopped``: stop reason of the last part."""
        if stopped not in ("simulations", "seconds", "calls"):
            return stopped
        if stopped == "seconds" and self._at_half_time and self.control is not None:
            self._extend(self.control)
        elif stopped in self._exhausting:
            return stopped
        if self.search.agent.stop_early and self._settled():
            return "settled"
        return None

    def _extend(self, control: MoveTime) -> None:
        """Half of the time is spent: let the timing decide on the total."""
        self.control = None
        moves = moves_left(self.search)
        if moves is not None:
            self.budget = replace(self.budget, seconds=control.extended(moves))

    def _settled(self) -> bool:
        """Whether the most visited child stays the most visited, wherever the remaining simulations go."""
        left = self._remaining()
        coming = min((left[name] for name in ("simulations", "calls") if name in left), default=math.inf)
        if "seconds" in left:
            rate = self.search.simulations() / max(self._seconds(), 1e-9)
            coming = min(coming, left["seconds"] * rate * SPEEDUP_ALLOWANCE)
        for moves in self.search.requested_moves():
            visits = np.sort(moves.statistics()[0])
            if len(visits) > 1 and visits[-1] - visits[-2] <= coming:
                return False
        return True

    def _seconds(self) -> float:
        return self.search.now() - self.began

    def _remaining(self) -> dict[str, float]:
        """Return the rest of each limit, at least one simulation or call."""
        spent = {"simulations": self.search.simulations(), "calls": self.search.calls(), "seconds": self._seconds()}
        limits = {name: getattr(self.budget, name) for name in spent}
        least = {"simulations": 1, "calls": 1, "seconds": 1e-9}
        return {name: max(limit - spent[name], least[name]) for name, limit in limits.items() if limit is not None}

    def _to_next_check(self, name: str) -> float:
        """Return the amount until the next check. Checks are equally spaced, with equal shares for all threads."""
        whole: int | float = getattr(self.budget, name)
        if name == "seconds":
            return max(MIN_CHECK_SECONDS, whole / CHECKS_PER_SEARCH)
        threads = len(self.search.workers)
        step = -(-max(MIN_CHECK_SIMULATIONS, int(whole) // CHECKS_PER_SEARCH) // threads) * threads
        spent = self.search.simulations() if name == "simulations" else self.search.calls()
        return step - spent % step
