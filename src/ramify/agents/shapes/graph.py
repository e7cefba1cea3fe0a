"""The loop where paths may meet again."""

from __future__ import annotations

from ramify.agents.shapes.graph_arrays import Graph
from ramify.agents.shapes.positions_memory import Positions
from ramify.agents.shapes.tree import Sequential
from ramify.contract.game import Game
from ramify.core.kernels.pointers import address
from ramify.core.search.loop import loop_of, root_of
from ramify.core.search.plan import GameTable, Memory, Plan
from ramify.core.shapes.graph import Graph as Shape


class WithPositions(Sequential):
    """The loop of ``core.shapes.graph``."""

    def __init__(self, game: Game, rows: int, positions: Positions) -> None:
        self.family = game.max_children + 1
        self.tree = Graph(positions, rows, 2 * game.max_children)
        self._block = positions.block

    def expand(self, table: GameTable, plan: Plan, memory: Memory) -> None:
        """Give the root its children."""
        root_of(Shape)(Shape(address(self._block)), table, plan, memory)

    def run(self, table: GameTable, plan: Plan, memory: Memory, limits: tuple[int, int, int]) -> int:
        """Simulate until a limit is reached."""
        simulations, calls, work = limits
        return int(loop_of(Shape)(Shape(address(self._block)), table, plan, memory, min(simulations, work), calls))
