"""Sequential halving: every move equally often, then the better half, and so on until one move is left."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ramify.grammar import Call
from ramify.strategies.base import Allocation, Root, Spent
from ramify.strategies.budget_parts import NOTHING, PART_LIMITS, keep_best, remaining


@dataclass(frozen=True)
class SequentialHalving(Allocation):
    """ceil(log2 K) rounds, floor(B / (k ceil(log2 K))) simulations for each of the k moves left: Karnin et al. 2013.

    The better half, ceil(k / 2) moves, reaches the next round. What rounding down leaves over stays unspent, or is
    spent in the last round with ``leftover``. If the floor is 0, every move left gets one simulation while any remain.
    Seconds and calls are divided equally among the rounds.
    """

    chooses_move: ClassVar[bool] = True
    required_roles: ClassVar[tuple[str, ...]] = ("select_root", "recommend")
    leftover: bool = False

    def default_strategies(self) -> Mapping[str, Call]:
        """Return ``round_robin`` for the root; below it the agent's policy selects."""
        return {"select_root": Call("round_robin")}

    def spend(self, budget: Any, run: Callable[[Any], str], root: Root) -> str:
        """Run round by round. The best remaining move comes first at the end, even if the search is stopped early."""
        root.expand()
        try:
            return self._halve(budget, run, root)
        finally:
            keep_best(root, 1)

    def _halve(self, budget: Any, run: Callable[[Any], str], root: Root) -> str:
        live = moves = len(root.visits)
        rounds = max(1, (moves - 1).bit_length())
        stopped, spent = "", NOTHING
        for number in range(1, rounds + 1):
            wanted = self._simulations(budget, spent, live, rounds, last=number == rounds)
            part = remaining(budget, spent, number, rounds, simulations=wanted)
            stopped = run(part) if part else stopped  # None if earlier rounds took too many seconds
            spent = root.spent
            if stopped not in PART_LIMITS or (number < rounds and remaining(budget, spent) is None):
                root.add_note(f"stopped in round {number} of {rounds} with {live} of {moves} moves left")
                return stopped
            live = -(-live // 2)
            keep_best(root, live)
        note = f"{moves} moves halved in {rounds} round{'s' * (rounds > 1)}"
        unspent = budget.simulations - spent.simulations if stopped == "simulations" else 0
        root.add_note(f"{note}; {unspent} of {budget.simulations} simulations left over" if unspent else note)
        return stopped

    def _simulations(self, budget: Any, spent: Spent, live: int, rounds: int, *, last: bool) -> int | None:
        """Return the number of simulations of a round."""
        if budget.simulations is None:
            return None
        rest: int = budget.simulations - spent.simulations
        return rest if last and self.leftover else min(rest, live * max(1, budget.simulations // (live * rounds)))
