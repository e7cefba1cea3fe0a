"""The loop where paths may meet again."""

from __future__ import annotations

from ramify.agents.graph import Graph
from ramify.agents.loops.sequential import Sequential
from ramify.agents.observers.positions import Positions
from ramify.contract.game import Game
from ramify.core.engine.graph import expand_graph, search_graph
from ramify.core.engine.plan import GameTable, Memory, Plan
from ramify.core.kernels.pointers import address


class WithPositions(Sequential):
    """The loop of ``core.engine.graph``."""

    def __init__(self, game: Game, rows: int, positions: Positions) -> None:
        self.family = game.max_children + 1
        self.tree = Graph(positions, rows, 2 * game.max_children)
        self._block = positions.block

    def expand(self, table: GameTable, plan: Plan, memory: Memory) -> None:
        """Give the root its children."""
        expand_graph(table, plan, memory, address(self._block))

    def run(self, table: GameTable, plan: Plan, memory: Memory, limits: tuple[int, int, int]) -> int:
        """Simulate until a limit is reached."""
        simulations, calls, work = limits
        return int(search_graph(table, plan, memory, address(self._block), min(simulations, work), calls))
