"""The loop where everybody may move at once."""

from __future__ import annotations

from ramify.agents.shapes.joint_arrays import JointTree
from ramify.agents.shapes.joint_memory import Joint
from ramify.agents.shapes.tree import Sequential
from ramify.core.kernels.pointers import address
from ramify.core.search.loop import loop_of, root_of
from ramify.core.search.plan import GameTable, Memory, Plan
from ramify.core.shapes.simultaneous import Joint as Shape


class AllAtOnce(Sequential):
    """The loop of ``core.shapes.simultaneous``."""

    def __init__(self, rows: int, joint: Joint) -> None:
        self.family = joint.family
        self.tree = JointTree(rows, 2 * self.family)
        self._block = joint.block

    def expand(self, table: GameTable, plan: Plan, memory: Memory) -> None:
        """Give the root its children, or its seats."""
        root_of(Shape)(Shape(address(self._block)), table, plan, memory)

    def run(self, table: GameTable, plan: Plan, memory: Memory, limits: tuple[int, int, int]) -> int:
        """Simulate until a limit is reached."""
        simulations, calls, work = limits
        return int(loop_of(Shape)(Shape(address(self._block)), table, plan, memory, min(simulations, work), calls))
