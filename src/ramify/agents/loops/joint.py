"""The loop where everybody may move at once."""

from __future__ import annotations

from ramify.agents.joint_tree import JointTree
from ramify.agents.loops.sequential import Sequential
from ramify.agents.observers.joint import Joint
from ramify.core.engine.plan import GameTable, Memory, Plan
from ramify.core.engine.simultaneous import expand_joint, search_joint
from ramify.core.kernels.pointers import address


class AllAtOnce(Sequential):
    """The loop of ``core.engine.simultaneous``."""

    def __init__(self, rows: int, joint: Joint) -> None:
        self.family = joint.family
        self.tree = JointTree(rows, 2 * self.family)
        self._block = joint.block

    def expand(self, table: GameTable, plan: Plan, memory: Memory) -> None:
        """Give the root its children, or its seats."""
        expand_joint(table, plan, memory, address(self._block))

    def run(self, table: GameTable, plan: Plan, memory: Memory, limits: tuple[int, int, int]) -> int:
        """Simulate until a limit is reached."""
        simulations, calls, work = limits
        return int(search_joint(table, plan, memory, address(self._block), min(simulations, work), calls))
