"""The arrays of a search tree whose edges may share positions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ramify.agents.shapes.positions_memory import Positions
from ramify.agents.shapes.tree_arrays import FIRST_CAPACITY, Tree
from ramify.core.kernels.pointers import address
from ramify.core.shapes.transpositions import link_children, unlink_children


class Graph(Tree):
    """A tree with a table of its positions."""

    def __init__(self, positions: Positions, rows: int, least: int, first: int = FIRST_CAPACITY) -> None:
        super().__init__(rows, least, first)
        self.positions = positions

    def _copy(self, *arguments: int) -> tuple[int, int]:
        return self.positions.copy(*arguments)

    def arrange(self, order: npt.NDArray[np.int64], live: int) -> None:
        """Edges to a position know of one another by their places, which change."""
        children = self.children()
        where = (address(self.nodes), address(self.positions.block), children.start, children.stop - children.start)
        if self.positions.means:
            unlink_children(*where)
        super().arrange(order, live)
        if self.positions.means:
            link_children(*where)
