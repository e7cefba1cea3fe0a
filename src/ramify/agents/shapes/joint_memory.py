"""Joint moves: the memory of ``core.shapes.simultaneous`` for one search tree."""

from __future__ import annotations

import numpy as np

from ramify.agents.hooks.hook import Observer
from ramify.contract.game import Game
from ramify.core.kernels.pointers import address
from ramify.core.search.plan import Memory
from ramify.core.shapes.simultaneous import JOINT

POOLED, CHILDREN = DEVIATIONS = ("pooled", "children")


class Joint(Observer):
    """Buffers for everybody's moves. It is told of nothing: the loop looks into it itself."""

    def __init__(self, game: Game, *, of_children: bool) -> None:
        self.rows = int(of_children)
        self._codes, self._places = np.zeros(game.players, np.int64), np.zeros(game.players, np.int64)
        rows = game.max_children * (2 * game.players - 2) if game.players > 1 else 1
        self.block = np.zeros(1, JOINT)
        self.block["players"] = game.players
        self.block["codes"], self.block["places"] = address(self._codes), address(self._places)
        self.block["family"] = game.players * (1 + game.max_children) + 2 * rows

    @property
    def family(self) -> int:
        """Nodes that a simulation may add, at most: two rows of joint children, and all seats with their arms."""
        return int(self.block["family"][0])

    def place(self, memory: Memory, columns: int) -> None:
        """The column of deviations."""
        del memory
        self.block["spread"] = columns if self.rows else 0
