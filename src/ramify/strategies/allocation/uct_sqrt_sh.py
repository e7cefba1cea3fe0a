"""UCT-sqrt-SH: an upper confidence bound at the root, whose moves are halved during the search."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from ramify.grammar import Call
from ramify.strategies.base import Allocation, Root, Spent
from ramify.strategies.budget_parts import NOTHING, PART_LIMITS, keep_best, remaining
from ramify.strategies.constants import ValueRange

# Putrich and Meneguzzi's program has m + 0.7 sqrt(2 sqrt(N) / n) at the root and m + 0.7 sqrt(2 ln N / n) below on
# values in [-1, 1]. On [0, 1] constants are halved, and sqrt(2) of the second is part of our c.
PUBLISHED = {
    "select_root": Call("ucb_sqrt", (("c", 0.35),)),
    "select": Call("ucb1", (("c", 0.35 * math.sqrt(2)),)),
    "reward": Call("discount", (("factor", 0.999), ("towards", 0.5))),
    "playout": Call("uniform", (("limit", 600),)),
}


@dataclass(frozen=True)
class UctSqrtSh(Allocation):
    """``ucb_sqrt`` over the best k moves of the root; k is halved down to ``k_min``: Putrich and Meneguzzi 2023.

    The h-th halving happens as soon as more than R h / log2 K of the budget R is spent and every move has been visited;
    k = max(k_min, floor(k / 2)). ``as_published`` uses the settings of the program behind the paper's results, which
    has max(1, ceil(ln(K / ln 2))) instead of log2 K.
    """

    k_min: Annotated[int, ValueRange(1, open=False)] = 4
    as_published: bool = False

    def default_strategies(self) -> Mapping[str, Call]:
        """Return SR+CR: minimize simple regret at the root, cumulative regret below."""
        return PUBLISHED if self.as_published else {"select_root": Call("ucb_sqrt"), "select": Call("ucb1")}

    def rounds(self, moves: int) -> float:
        """Return the number of equal parts of the budget, about the number of halvings."""
        return max(1, math.ceil(math.log(moves / math.log(2)))) if self.as_published else math.log2(moves)

    def spend(self, budget: Any, run: Callable[[Any], str], root: Root) -> str:
        root.expand()
        live = moves = len(root.visits)
        halvings, stopped, spent = 0, "", NOTHING
        while live > self.k_min:
            part = self._until(budget, spent, halvings + 1, self.rounds(moves))
            stopped = run(part) if part else stopped
            if stopped in PART_LIMITS:
                stopped = self._try_all(budget, run, root, stopped)
            spent = root.spent
            rest = remaining(budget, spent)
            if stopped not in PART_LIMITS or rest is None:
                break
            halvings, live = halvings + 1, max(self.k_min, live // 2)
            keep_best(root, live)
        else:
            rest = remaining(budget, spent)
            stopped = run(rest) if rest else stopped
        early = "" if stopped in PART_LIMITS else "stopped after "
        root.add_note(f"{early}{halvings} halving{'s' * (halvings != 1)}, {live} of {moves} moves left")
        return stopped

    @staticmethod
    def _until(budget: Any, spent: Spent, halving: int, rounds: float) -> Any | None:
        """Return the budget until the next halving: at least one simulation, as there is one between two halvings."""
        whole = {
            name: min(most, max(math.floor(most * halving / rounds), getattr(spent, name)) + 1) - getattr(spent, name)
            for name in ("simulations", "calls")
            if (most := getattr(budget, name)) is not None
        }
        return remaining(budget, spent, min(halving, rounds), rounds, **whole)

    @staticmethod
    def _try_all(budget: Any, run: Callable[[Any], str], root: Root, stopped: str) -> str:
        """Search until every move has been visited: one simulation each, unless first-play urgency delays some."""
        step = int((root.visits == 0).sum())
        while (root.visits == 0).any() and stopped in PART_LIMITS and (rest := remaining(budget, root.spent)):
            stopped = run(replace(rest, simulations=min(step, rest.simulations or step)))
            step *= 2
        return stopped
