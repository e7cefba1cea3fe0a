"""Improved UCB: every move equally often; each round eliminates moves that are clearly worse than the best."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ramify.grammar import Call
from ramify.strategies.base import Allocation, Root, Spent
from ramify.strategies.budget_parts import PART_LIMITS, keep_best, remaining


@dataclass(frozen=True)
class ImprovedUcb(Allocation):
    """Elimination in rounds m = 0, 1, ... with gaps d = 2^-m: Auer and Ortner 2010, with a known horizon T.

    In a round every remaining move is simulated until it has n = ceil(2 ln(T d^2) / d^2) visits. Then moves whose mean
    is more than 2 sqrt(ln(T d^2) / 2n) below the best are eliminated. Rounds continue while T d^2 >= e and the budget
    covers a whole round; the remaining moves share the rest equally. T is the number of simulations. If seconds or
    calls limit the search, T is estimated before each round from the cost of the simulations so far. The remaining
    move of highest mean is returned.
    """

    chooses_move: ClassVar[bool] = True
    required_roles: ClassVar[tuple[str, ...]] = ("select_root", "recommend")

    def default_strategies(self) -> Mapping[str, Call]:
        """Return ``round_robin`` for the root; below it the agent's policy selects."""
        return {"select_root": Call("round_robin")}

    def spend(self, budget: Any, run: Callable[[Any], str], root: Root) -> str:
        """Run round by round. The best remaining move comes first at the end, even if the search is stopped early."""
        root.expand()
        moves = len(root.visits)
        try:
            stopped, rounds = self._eliminate(budget, run, root)
            rest = remaining(budget, root.spent) if stopped in PART_LIMITS else None
            stopped = run(rest) if rest else stopped
            early = "" if stopped in PART_LIMITS else "stopped after "
            root.add_note(f"{early}{rounds} round{'s' * (rounds != 1)}, {len(root.visits)} of {moves} moves left")
            return stopped
        finally:
            keep_best(root, 1)

    @staticmethod
    def _eliminate(budget: Any, run: Callable[[Any], str], root: Root) -> tuple[str, int]:
        """Run all rounds that the budget covers. Return the last stop reason and the number of rounds."""
        stopped, rounds = "simulations", 0
        if budget.simulations is None:
            stopped = run(replace(budget, simulations=len(root.visits)))  # measures the cost of a simulation
        while stopped in PART_LIMITS and len(root.visits) > 1:
            spent = root.spent
            horizon = simulations_in(budget, spent)
            gap = 4.0**-rounds  # d^2
            if horizon * gap < math.e:
                break
            logarithm = math.log(horizon * gap)
            wanted = math.ceil(2.0 * logarithm / gap)
            short = int((wanted - root.visits).clip(0).sum())
            part = remaining(budget, spent)
            if part is None or short > horizon - spent.simulations:
                break
            stopped = run(replace(part, simulations=short)) if short else stopped
            if stopped in PART_LIMITS:
                width = math.sqrt(logarithm / (2.0 * wanted))
                keep_best(root, int((root.values + width >= root.values.max() - width).sum()))
                rounds += 1
        return stopped, rounds


def simulations_in(budget: Any, spent: Spent) -> float:
    """Return the number of simulations in a budget, estimated if it limits seconds or calls; 0 if unknown."""
    limits = ((budget.seconds, spent.seconds), (budget.calls, spent.calls))
    found = [spent.simulations * most / used for most, used in limits if most is not None and used > 0]
    return min([*found, *([budget.simulations] if budget.simulations else [])], default=0.0)
