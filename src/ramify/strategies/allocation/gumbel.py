"""Gumbel: sequential halving of a few moves sampled by their priors."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from ramify.grammar import Call
from ramify.strategies.base import Allocation, Floats, Root
from ramify.strategies.budget_parts import NOTHING, PART_LIMITS, remaining
from ramify.strategies.constants import NonNegative, ValueRange

MIN_PRIOR = 2.0**-126  # lower limit of priors and random numbers, so that their logarithms are finite


@dataclass(frozen=True)
class Gumbel(Allocation):
    """Sequential halving of moves sampled without replacement by their priors: Danihelka et al. 2022.

    Every move gets Gumbel noise g. The m = min(considered, simulations) moves of highest g + ln P are searched in
    phases. In a phase each of the k remaining moves gets max(1, floor(n / (k ceil(log2 m)))) of the n simulations; then
    the half of highest g + ln P + (c_visit + max N) c_scale q remains, at least two moves, until n are spent. Seconds
    and calls are divided equally among ceil(log2 m) phases. Below the root the policy ``gumbel`` selects.
    """

    chooses_move: ClassVar[bool] = True
    uses_priors: ClassVar[bool] = True
    required_roles: ClassVar[tuple[str, ...]] = ("select_root", "recommend")
    considered: Annotated[int, ValueRange(1, open=False)] = 16
    c_visit: NonNegative = 50.0
    c_scale: NonNegative = 1.0

    def default_strategies(self) -> Mapping[str, Call]:
        """Return ``round_robin`` for the root and the improved policy below it."""
        constants = (("c_visit", self.c_visit), ("c_scale", self.c_scale))
        return {"select_root": Call("round_robin"), "select": Call("gumbel", constants)}

    def spend(self, budget: Any, run: Callable[[Any], str], root: Root) -> str:
        """Run phase by phase. The move of highest score comes first at the end, even if the search is stopped early."""
        root.expand()
        moves = len(root.visits)
        considered = ConsideredMoves(root, self.c_visit, self.c_scale)
        considered.keep(min(self.considered, moves, budget.simulations or moves), found=False)
        try:
            return self._phases(budget, run, root, considered, moves)
        finally:
            considered.keep(1)

    def _phases(
        self, budget: Any, run: Callable[[Any], str], root: Root, considered: ConsideredMoves, moves: int
    ) -> str:
        live = most = len(root.visits)
        phases = max(1, (most - 1).bit_length())
        number, stopped, spent = 0, "", NOTHING
        while True:
            number += 1
            for wanted in visits(budget.simulations, spent.simulations, live, phases):
                live = live if wanted is None else min(live, wanted)
                considered.keep(live, found=number > 1 or spent.simulations > 0)
                part = remaining(budget, spent, min(number, phases), phases, simulations=wanted)
                stopped = run(part) if part else stopped
                spent = root.spent
                if stopped not in PART_LIMITS:
                    root.add_note(f"stopped in phase {number} with {live} of {most} moves left, sampled from {moves}")
                    return stopped
            if remaining(budget, spent) is None:
                root.add_note(f"{most} of {moves} moves considered in {number} phase{'s' * (number > 1)}")
                return stopped
            live = max(min(2, most), live // 2)


class ConsideredMoves:
    """The considered (live) moves, each with its noise and prior."""

    def __init__(self, root: Root, c_visit: float, c_scale: float) -> None:
        self.root, self.c_visit, self.c_scale = root, c_visit, c_scale
        noise = [-math.log(-math.log(max(root.uniform(), MIN_PRIOR))) for _ in root.visits]
        self.noisy_logits = np.array(noise) + np.log(np.maximum(root.priors, MIN_PRIOR))

    def keep(self, count: int, *, found: bool = True) -> None:
        """Keep the moves of highest score; by noise and prior alone if nothing has been ``found`` yet."""
        order = np.argsort(-(self._scores() if found else self.noisy_logits), kind="stable")[:count]
        self.root.keep(order)
        self.noisy_logits = self.noisy_logits[order]

    def _scores(self) -> Floats:
        visits, values = self.root.visits, self.root.values
        scale = (self.c_visit + visits.max()) * self.c_scale
        scores: Floats = self.noisy_logits + scale * np.where(visits > 0, values, 0.0)
        scores[visits == 0] = -np.inf
        return scores


def visits(simulations: int | None, spent: int, live: int, phases: int) -> list[int | None]:
    """Return the parts of a phase, in simulations: equally many per move; the last few go to the best moves."""
    if simulations is None:
        return [None]
    each = max(1, simulations // (live * phases))
    rest = simulations - spent
    if rest >= live * each:
        return [live * each]
    return [part for part in (rest - rest % live, rest % live) if part]
