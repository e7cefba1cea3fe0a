"""Improved UCB: every move equally often; each round eliminates the moves that are clearly below the best."""

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
    """Rounds m = 0, 1, ... with a gap d = 2^-m, each of which eliminates moves: Auer and Ortner 2010, known horizon T.

    In a round every move left is simulated until it has n = ceil(2 ln(T d^2) / d^2) visits. Then moves are eliminated
    whose mean is more than 2 sqrt(ln(T d^2) / 2n) below the best. Rounds go on while T d^2 >= e and a whole round can
    be afforded; what is left goes to the moves left, equally often. T is the number of simulations of the search; where
    seconds or calls limit it, it is estimated before each round from what the simulations so far took. The move of
    highest mean among those left is returned.
    """

    chooses_move: ClassVar[bool] = True
    required_roles: ClassVar[tuple[str, ...]] = ("select_root", "recommend")

    def default_strategies(self) -> Mapping[str, Call]:
        """Even pulls at the root; below it the agent's own policy chooses."""
        return {"select_root": Call("round_robin")}

    def spend(self, budget: Any, run: Callable[[Any], str], root: Root) -> str:
        """Round by round; it ends with the best of the moves left, also where it is stopped early."""
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
        """All rounds that can be afforded: what the last run said stopped it, and how many they were."""
        stopped, rounds = "simulations", 0
        if budget.simulations is None:
            stopped = run(replace(budget, simulations=len(root.visits)))  # how long does a simulation take?
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
    """Simulations that a budget allows for, estimated where it limits seconds or calls; 0 where nobody can tell."""
    limits = ((budget.seconds, spent.seconds), (budget.calls, spent.calls))
    found = [spent.simulations * most / used for most, used in limits if most is not None and used > 0]
    return min([*found, *([budget.simulations] if budget.simulations else [])], default=0.0)
