"""Looks at a running search between the parts of its budget: may it take longer, can its choice still change?

Parts give the same tree as the whole, unless an allocation looks at the root in between, so a stopper that only looks
changes nothing. Parts that are counted in simulations do not depend on the machine: a search that stops early stops at
the same simulation every time.
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

CHECKS_PER_SEARCH = 32  # at the choice, in a search
MIN_CHECK_SIMULATIONS = 32  # simulations (or calls) between two looks: a look takes as long as some of them
MIN_CHECK_SECONDS = 0.002  # seconds between two looks
ROUNDS = 10  # in how many steps a recommendation that is not settled spends its extension
SPEEDUP_ALLOWANCE = 1.5  # a search by seconds may yet become this much faster than it was so far


class BudgetParts:
    """The parts of one run's budget, each after a look at the running search where somebody wants one.

    Whoever runs a part writes to ``stopped`` what ended it; after the last part that is what ended the whole run.
    """

    def __init__(self, search: Search, budget: Budget, control: MoveTime | None) -> None:
        self.search, self.budget, self.control = search, budget, control
        self.stopped = ""

    def __iter__(self) -> Iterator[Budget]:
        yield from self._planned()
        if self.search.agent.recommend.extra_budget and self.stopped in ("simulations", "seconds", "calls"):
            yield from self._extension()

    def _planned(self) -> Iterator[Budget]:
        """The budget itself, cut where the timing or ``stop_early`` looks.

        An allocation that needs its whole budget at once cannot be extended; there the timing knows what the search
        before has seen, and the first search of a game gets what it begins with.
        """
        search, budget, control = self.search, self.budget, self.control
        looks = control is not None and control.timing.inspects_search
        if search.agent.allocation.inspects_root:
            if looks and control is not None and search.expected is not None:
                budget = replace(budget, seconds=control.extended(max(1.0, search.expected - 1)))
            yield budget
        elif not looks and not search.agent.stop_early:
            yield budget
        else:
            stopper = EarlyStopping(search, budget, control)
            verdict = None
            while verdict is None:
                yield stopper.part()
                verdict = stopper.stop_reason(self.stopped)
            self.stopped = verdict

    def _extension(self) -> Iterator[Budget]:
        """More of it, in steps, while the recommendation is not settled."""
        factor, ended = self.search.agent.recommend.extra_budget, self.stopped
        for more in self.budget.split(factor if self.control is None else min(factor, 1.0), ROUNDS):  # a clock goes on
            if all(moves.settled() for moves in self.search.wanted()):
                return
            yield more
            if self.stopped in ("cancelled", "memory", "proven"):
                return
            self.stopped = ended


def moves_left(search: Search) -> float | None:
    """Moves that the side to move has still to make, this one included, by the playouts that came to an end.

    The mean number of plies from the root to the end, chance's among them, over the number of players, rounded up as if
    everybody else moved once more: rather too many than too few. Where moves are made at once, each of them is one of
    this side's, too. None while no playout has come to an end.
    """
    ended = search.simulations() - search.total("cut_playouts")
    plies = search.calls() - search.total("cut_calls")
    players = search.workers[0].shape.turns
    return (plies / ended + players - 1) / players if ended else None


class EarlyStopping:
    """Cuts the budget of one run into parts, and says after each what ended the run, if anything did."""

    def __init__(self, search: Search, budget: Budget, control: MoveTime | None) -> None:
        self.search = search
        self.budget = budget
        self.control = (
            control if control is not None and control.timing.inspects_search else None
        )  # until it has looked
        self.began = search.now()
        self._last: set[str] = set()  # the limits that the running part exhausts
        self._half = False  # whether it ends where the timing looks

    def part(self) -> Budget:
        """The next part of the budget."""
        left = self._left()
        wanted = dict(left)
        half = math.nan
        if self.control is not None and "seconds" in left:
            half = max(self.control.seconds / 2 - self._seconds(), 1e-9)
            wanted["seconds"] = min(left["seconds"], half)
        if self.search.agent.stop_early and left:
            name = next(iter(left))
            wanted[name] = min(wanted[name], self._to_next_look(name))
        self._half = wanted.get("seconds") == half
        self._last = {name for name in left if wanted[name] == left[name]}
        whole: dict[str, Any] = {name: value if name == "seconds" else int(value) for name, value in wanted.items()}
        return replace(self.budget, **whole)

    def stop_reason(self, stopped: str) -> str | None:
        """What ended the run; None if it goes on."""
        if stopped not in ("simulations", "seconds", "calls"):
            return stopped
        if stopped == "seconds" and self._half and self.control is not None:
            self._look_at_the_rest(self.control)
        elif stopped in self._last:
            return stopped
        if self.search.agent.stop_early and self._settled():
            return "settled"
        return None

    def _look_at_the_rest(self, control: MoveTime) -> None:
        """Half of the time is spent: how much is it to be in all?"""
        self.control = None
        moves = moves_left(self.search)
        if moves is not None:
            self.budget = replace(self.budget, seconds=control.extended(moves))

    def _settled(self) -> bool:
        """Whether the most visited child would be it in the end, wherever all simulations to come went."""
        left = self._left()
        coming = min((left[name] for name in ("simulations", "calls") if name in left), default=math.inf)
        if "seconds" in left:
            rate = self.search.simulations() / max(self._seconds(), 1e-9)
            coming = min(coming, left["seconds"] * rate * SPEEDUP_ALLOWANCE)
        for moves in self.search.wanted():
            visits = np.sort(moves.statistics()[0])
            if len(visits) > 1 and visits[-1] - visits[-2] <= coming:
                return False
        return True

    def _seconds(self) -> float:
        return self.search.now() - self.began

    def _left(self) -> dict[str, float]:
        """What is left of each limit; a simulation needs one call or more."""
        spent = {"simulations": self.search.simulations(), "calls": self.search.calls(), "seconds": self._seconds()}
        limits = {name: getattr(self.budget, name) for name in spent}
        least = {"simulations": 1, "calls": 1, "seconds": 1e-9}
        return {name: max(limit - spent[name], least[name]) for name, limit in limits.items() if limit is not None}

    def _to_next_look(self, name: str) -> float:
        """Until the next of evenly spaced looks; every thread makes equally many simulations in between."""
        whole: int | float = getattr(self.budget, name)
        if name == "seconds":
            return max(MIN_CHECK_SECONDS, whole / CHECKS_PER_SEARCH)
        threads = len(self.search.workers)
        step = -(-max(MIN_CHECK_SIMULATIONS, int(whole) // CHECKS_PER_SEARCH) // threads) * threads
        spent = self.search.simulations() if name == "simulations" else self.search.calls()
        return step - spent % step
