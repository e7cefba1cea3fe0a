"""The sequential loop, the base of the others: simulation by simulation, each from the root."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from ramify.agents.budgets.budget import Budget
from ramify.agents.budgets.chunk_size import Pace
from ramify.agents.shapes.shot_memory import Frames
from ramify.agents.shapes.tree_arrays import Tree
from ramify.contract.game import Code, Game, State
from ramify.core.search.loop import TREE, loop_of, root_of
from ramify.core.search.loop import Tree as Shape
from ramify.core.search.plan import ENOUGH, PROVEN, GameTable, Memory, Plan
from ramify.core.search.tree import ROOT


class Sequential:
    """A loop and its tree."""

    frames: Frames | None = None  # of a loop that halves in every node

    def __init__(self, game: Game, rows: int) -> None:
        self.family = game.max_children  # nodes that a simulation may add
        self.tree = Tree(rows, 2 * self.family)

    def expand(self, table: GameTable, plan: Plan, memory: Memory) -> None:
        """Give the root its children."""
        root_of(Shape)(TREE, table, plan, memory)

    @property
    def paced(self) -> bool:
        """Whether it runs for a chunk of simulations or calls; else it ends in time by itself."""
        return True

    def load(self, table: GameTable, plan: Plan, memory: Memory) -> None:
        """Load or compile what it runs."""
        self.run(table, plan, memory, (0, 0, 0))

    def begin(self, budget: Budget, memory: Memory) -> None:
        """A budget is to be spent."""

    def leave(self, memory: Memory) -> None:
        """It is spent, or something went wrong: leave nothing half done."""

    def settle(self, table: GameTable, plan: Plan, memory: Memory) -> bool:
        """The root has moved to a child; whether the tree may stay as it is."""
        del table, plan, memory
        return True

    def below(self, state: State, code: Code) -> int | None:
        """The node that a move at the root, in that position, leads to; None where the tree has none."""
        del state
        return self.tree.child(ROOT, code)

    def run(self, table: GameTable, plan: Plan, memory: Memory, limits: tuple[int, int, int]) -> int:
        """Simulate until a limit is reached: simulations, calls or work, in all; the loop's status."""
        simulations, calls, work = limits
        return int(loop_of(Shape)(TREE, table, plan, memory, min(simulations, work), calls))

    def work(self, counters: npt.NDArray[Any]) -> int:
        """What was done so far: simulations that another one stands for are no work."""
        return int(counters["simulations"][0])

    def end(self, status: int, spent: int, already: int, simulations: int) -> str:
        """What ended the search, if the loop did; ``spent`` are the simulations by now, ``already`` those at first."""
        del already
        if status in (ENOUGH, PROVEN):
            return "enough" if status == ENOUGH else "proven"
        return "simulations" if spent >= simulations else ""

    def late(self, left: float, pace: Pace, memory: Memory) -> bool:
        """Whether what comes next would not end in time."""
        del memory
        return pace.late(left)

    def grow(self) -> bool:
        """Take more room for what it keeps beside the tree; whether that was what it lacked."""
        return False
