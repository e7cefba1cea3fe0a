"""The loop that keeps chance out of the tree."""

from __future__ import annotations

from ramify.agents.shapes.open_loop_memory import OpenLoop
from ramify.agents.shapes.tree import Sequential
from ramify.contract.game import Code, Game, State
from ramify.core.kernels.pointers import address
from ramify.core.search.loop import loop_of, root_of
from ramify.core.search.plan import GameTable, Memory, Plan
from ramify.core.search.tree import CHANCE, ROOT
from ramify.core.shapes.open_loop import NO_ROOM
from ramify.core.shapes.open_loop import OpenLoop as Shape


class WithoutChance(Sequential):
    """The loop of ``core.shapes.open_loop``."""

    def __init__(self, game: Game, rows: int, memory: OpenLoop) -> None:
        super().__init__(game, rows)
        self._memory = memory

    def expand(self, table: GameTable, plan: Plan, memory: Memory) -> None:
        """Give the root its children."""
        root_of(Shape)(Shape(address(self._memory.block)), table, plan, memory)

    def settle(self, table: GameTable, plan: Plan, memory: Memory) -> bool:
        """Keep of the root's children those of its position, and add those that it lacks; whether there is room."""
        return bool(root_of(Shape)(Shape(address(self._memory.block)), table, plan, memory) != NO_ROOM)

    def run(self, table: GameTable, plan: Plan, memory: Memory, limits: tuple[int, int, int]) -> int:
        """Simulate until a limit is reached."""
        simulations, calls, work = limits
        status = int(
            loop_of(Shape)(Shape(address(self._memory.block)), table, plan, memory, min(simulations, work), calls)
        )
        self.family = max(self.family, self._memory.needed)
        return status

    def below(self, state: State, code: Code) -> int | None:
        """The node that a move at the root leads to; an outcome of chance leads nowhere else."""
        if state.to_move == CHANCE:
            return ROOT
        children = self.tree.children()
        for child in range(children.start, children.stop):
            edge = self.tree.nodes[child]
            if edge["move"] == code and edge["spare"] == state.to_move:
                return child
        return None
