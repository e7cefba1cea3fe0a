"""Move classes and recorded moves for policies: ``core.hooks.move_classes`` for one tree."""

from __future__ import annotations

import numpy as np

from ramify.agents.hooks.hook import Hook
from ramify.contract.game import Game
from ramify.contract.move_classes import class_out_of_range, table_classes
from ramify.core.hooks.move_classes import MOVE_CLASSES, classify_kernel, record_moves_kernel
from ramify.core.kernels.pointers import address, record
from ramify.core.search.episode import EPISODE, MAX_DEPTH, MAX_TRACE
from ramify.core.search.plan import Memory
from ramify.strategies.policy.selectors import Selectors


class MoveClasses(Hook):
    """Stores the class of every node, the moves of the last simulation, and the policies' tables per class.

    The tables are kept during a game and cleared with the tree when a search restarts.
    """

    column_count = 1

    def __init__(self, game: Game, selectors: Selectors) -> None:
        self.game, self.selectors = game, selectors
        self.on_expand = classify_kernel()
        self.traced = selectors.made
        self.on_simulation = record_moves_kernel() if selectors.made else None
        self._classify = game.kernel("move_class")  # owns the machine code behind the address
        self.classes = table_classes(game)
        self._made = np.zeros(1 + MAX_DEPTH + MAX_TRACE if selectors.made else 1, np.int64)
        self.block = np.zeros(1, MOVE_CLASSES)
        self.block["mover"], self.block["classes"] = game.table().mover, self.classes
        self.block["classify"] = self._classify.address if self._classify else 0
        self.block["made"] = address(self._made)
        self.tables = selectors.make_tables(game.players * self.classes, address(self._made))

    def set_addresses(self, memory: Memory, columns: int) -> None:
        """Pass the column of classes to the policies, and the number of classes to traced playouts."""
        self.block["class_of"] = columns
        self.selectors.place_classes(columns)
        if self.traced:
            record(memory.episode, EPISODE).classes = self.classes

    def clear(self, *, moved: bool = False) -> None:
        """Clear the tables unless the game has advanced."""
        self.block["out_of_range"] = 0
        for table in () if moved else self.tables:
            table[:] = 0.0

    @property
    def nbytes(self) -> int:
        return sum(table.nbytes for table in self.tables)

    def check(self) -> None:
        """Raise if the class of a move is out of range."""
        move = int(self.block["out_of_range"][0]) - 1
        if move >= 0:
            raise class_out_of_range(self.game, move)
