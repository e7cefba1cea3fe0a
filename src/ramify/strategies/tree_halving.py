"""Common part of ``shot``, ``shot_original`` and ``h_mcts``: they need to know their number of simulations.

If the budget is in seconds or forward-model calls, that number is estimated from a warm-up: a search of 100
simulations, or more until it has taken long enough to measure. It halves too, or gives one playout to each of the first
nodes (``warm_up``). If the plan ends before the budget does, the rest goes to the two best moves; if the rest is more
than half of the budget, a new plan is made. A search that is stopped early returns the best of the moves still in the
race.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ramify.strategies.base import Allocation, HalvingSpec, Root, Spent
from ramify.strategies.budget_parts import NOTHING, remaining

HALVING, DEPTH_FIRST, BREADTH_FIRST = WARM_UPS = ("halving", "depth_first", "breadth_first")
WARM_UP = 100  # simulations
WARM_UP_SHARE = 0.02  # of the budget: a shorter warm-up mostly measures overhead
MIN_PLAN_SHARE = 0.5  # of the budget: a plan that took less was based on a bad measurement and is replaced
MAX_VISITS = 1 << 30  # visits of finished games cost no time, so 31 bits would soon overflow
ENDS = {
    "seconds": "stopped by the clock",
    "calls": "stopped by the number of calls",
    "memory": "stopped by the memory limit",
    "cancelled": "cancelled",
    "proven": "the position was proven",
}


class TreeHalving(Allocation):
    """Sequential halving in every node of the tree, or in those with a large enough budget."""

    chooses_move = True

    @abstractmethod
    def tree_halving(self) -> HalvingSpec: ...

    def spend(self, budget: Any, run: Callable[[Any], str], root: Root) -> str:
        return _BudgetRun(budget, run, root, self.tree_halving()).spend()


class _BudgetRun:
    """Spends one budget."""

    def __init__(self, budget: Any, run: Callable[[Any], str], root: Root, spec: HalvingSpec) -> None:
        self.budget, self.root, self.limit, self.stop = budget, root, spec.limit, spec.stop
        timed = budget.seconds is not None or budget.calls is not None
        self.order = spec.warm_up if timed and spec.warm_up != HALVING else ""  # of the warm-up's nodes
        self._run = run
        self._began = root.spent
        self._rates = (1.0, 1.0)  # simulations per second, and per forward-model call
        self._planned = 0  # simulations of the last run
        self._warm = 0  # simulations of the warm-up

    def spend(self) -> str:
        """Spend the budget and leave the best move first. Return the stop reason."""
        given = {name for name in Spent._fields if getattr(self.budget, name) is not None}
        stopped = "simulations" if given == {"simulations"} else self._warm_up()
        plan = f"{'warm-up' if given else 'increasingly long searches, the last'} of {self._planned:,} simulations"
        while stopped == "simulations" and not self._exhausted():
            planned = self._affordable()
            plan = f"planned {planned:,} simulations" + (f" after {self._warm:,} of warm-up" if self._warm else "")
            stopped = self._run_part(planned)
            if given == {"simulations"} or stopped != "simulations" or self._share() >= MIN_PLAN_SHARE:
                break
            self._warm = self._spent().simulations
        where, done, more = self._where(), self._spent().simulations - self._warm, 0
        if stopped == "simulations" and not self._exhausted() and given != {"simulations"}:
            stopped, more = self._rest()
        self._best_first()
        if more:
            self.root.add_note(f"{plan}; {more:,} more went to the two best moves")
        elif stopped in ENDS:
            self.root.add_note(f"{plan}; {ENDS[stopped]} at {done:,}{where}")
        elif self.stop and not self._exhausted():
            self.root.add_note(f"{plan}; ended after {self.stop:,} playouts, at {done:,}{where}")
        elif stopped == "enough" or not self._exhausted():
            self.root.add_note(f"{plan}; {done:,} spent: finished games cost none, and rounding leaves some over")
        return (self._exhausted() or stopped) if stopped == "simulations" else stopped

    def _warm_up(self) -> str:
        """Search until the speed is known. If only memory limits the search, continue until it is full."""
        size = WARM_UP
        while True:
            if self.order:
                self.root.discover_next(self.order)
            stopped = self._run_part(size)
            if stopped == "enough" and self.order:  # all nodes are known
                return "simulations"
            if stopped != "simulations":
                return stopped
            self._warm = self._spent().simulations
            if self._exhausted() or self._share() >= WARM_UP_SHARE:
                return stopped
            size *= 2

    def _share(self) -> float:
        """Return the spent share of the seconds or the calls, whichever is larger."""
        spent = self._spent()
        given = ((self.budget.seconds, spent.seconds), (self.budget.calls, spent.calls))
        return max((used / total for total, used in given if total is not None), default=0.0)

    def _rest(self) -> tuple[str, int]:
        """Spend the rest on the two best moves. Return the stop reason and the number of simulations."""
        before, stopped = self._spent().simulations, "simulations"
        self.root.keep(np.arange(min(2, len(self.root.visits))))
        while stopped == "simulations" and not self._exhausted():
            stopped = self._run_part(self._affordable())
        return stopped, self._spent().simulations - before

    def _spent(self) -> Spent:
        """Return what has been spent of this budget."""
        now, then = self.root.spent, self._began
        return Spent(now.simulations - then.simulations, now.seconds - then.seconds, now.calls - then.calls)

    def _exhausted(self) -> str:
        """Return the name of a limit that is reached, or ''."""
        for name, used in self._spent()._asdict().items():
            if getattr(self.budget, name) is not None and used >= getattr(self.budget, name):
                return str(name)
        return ""

    def _affordable(self) -> int:
        """Return the estimated number of simulations that the limits allow."""
        spent, found = self._spent(), [float(MAX_VISITS)]
        if self.budget.simulations is not None:
            found.append(self.budget.simulations - spent.simulations)
        if self.budget.seconds is not None:
            found.append(self._rates[0] * (self.budget.seconds - spent.seconds))
        if self.budget.calls is not None:
            found.append(self._rates[1] * (self.budget.calls - spent.calls))
        return max(1, int(min(found)))

    def _run_part(self, simulations: int) -> str:
        """Run ``simulations``, or as many as the limits allow. Return the stop reason. The first part always runs."""
        before = self._spent() if self._planned else NOTHING
        limits = remaining(self.budget, before)
        if limits is None:
            return self._exhausted()
        visits = int(self.root.visits.sum())
        self._planned = min(simulations, limits.simulations or simulations, MAX_VISITS - visits)
        if self._planned < 1:
            return "enough"
        stopped = self._run(replace(limits, simulations=self._planned))
        now = self._spent()
        done, seconds = now.simulations - before.simulations, now.seconds - before.seconds
        if done:
            self._rates = (done / max(seconds, 1e-9), done / max(now.calls - before.calls, 1))
        return stopped

    def _where(self) -> str:
        """Describe the progress of the rounds at the root."""
        round_, rounds, inside = self.root.halving_progress
        if self._planned <= self.limit:
            return ""
        if round_ == 0:
            return " before the first round"
        return (
            f" in round {round_} of {rounds} with {inside} moves left" if round_ <= rounds else " after the last round"
        )

    def _best_first(self) -> None:
        """Put the best of the remaining moves first; if the root was not halved, the most visited one."""
        visits, values = self.root.visits, self.root.values
        if self._planned <= self.limit:
            self.root.keep(np.lexsort((-values, -visits)))
            return
        inside = min(self.root.halving_progress.left, len(values))
        best = np.argsort(-values[:inside], kind="stable")
        self.root.keep(np.concatenate([best, np.arange(inside, len(values))]))
