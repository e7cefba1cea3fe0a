"""SHOT's loop, which halves a budget in every node."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from ramify.agents.budgets.budget import NO_LIMIT, Budget
from ramify.agents.shapes.shot_memory import Frames
from ramify.agents.shapes.tree import Sequential
from ramify.contract.game import Game
from ramify.core.search.loop import loop_of
from ramify.core.search.plan import GameTable, Memory, Plan
from ramify.core.shapes.shot import Stack
from ramify.strategies.kinds import Halving


class InEveryNode(Sequential):
    """The loop of ``core.shapes.shot``; ``root`` is where the position at the root stands, in so many bytes."""

    frames: Frames

    def __init__(self, game: Game, rows: int, halving: Halving, root: int, state_bytes: int) -> None:
        super().__init__(game, rows)
        self.frames = Frames(root, state_bytes, game.max_children, halving)

    def begin(self, budget: Budget, memory: Memory) -> None:
        """Give the root a budget."""
        del memory
        self.frames.begin(budget.simulations or NO_LIMIT)

    def run(self, table: GameTable, plan: Plan, memory: Memory, limits: tuple[int, int, int]) -> int:
        """Simulate until a limit is reached."""
        _, calls, work = limits
        return int(loop_of(Stack)(self.frames.addresses(), table, plan, memory, work, calls))

    def work(self, counters: npt.NDArray[Any]) -> int:
        """What was done so far."""
        del counters
        return self.frames.work

    def end(self, status: int, spent: int, already: int, simulations: int) -> str:
        """What ended the search, if the loop did."""
        if self.frames.finished:  # what cannot be spent is left over
            return "simulations" if spent > already else "enough"
        return super().end(status, min(spent, simulations - 1), already, simulations)

    def grow(self) -> bool:
        """Take more frames."""
        if not self.frames.full:
            return False
        self.frames.grow()
        return True
