"""The loop that keeps chance out of the tree."""

from __future__ import annotations

from ramify.agents.loops.sequential import Sequential
from ramify.agents.observers.open_loop import OpenLoop
from ramify.contract.game import Code, Game, State
from ramify.core.engine.open_loop import NO_ROOM, expand_open, search_open
from ramify.core.engine.plan import GameTable, Memory, Plan
from ramify.core.engine.tree import CHANCE, ROOT
from ramify.core.kernels.pointers import address


class WithoutChance(Sequential):
    """The loop of ``core.engine.open_loop``."""

    def __init__(self, game: Game, rows: int, memory: OpenLoop) -> None:
        super().__init__(game, rows)
        self._memory = memory

    def expand(self, table: GameTable, plan: Plan, memory: Memory) -> None:
        """Give the root its children."""
        expand_open(table, plan, memory, address(self._memory.block))

    def settle(self, table: GameTable, plan: Plan, memory: Memory) -> bool:
        """Keep of the root's children those of its position, and add those that it lacks; whether there is room."""
        return bool(expand_open(table, plan, memory, address(self._memory.block)) != NO_ROOM)

    def run(self, table: GameTable, plan: Plan, memory: Memory, limits: tuple[int, int, int]) -> int:
        """Simulate until a limit is reached."""
        simulations, calls, work = limits
        status = int(search_open(table, plan, memory, address(self._memory.block), min(simulations, work), calls))
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
