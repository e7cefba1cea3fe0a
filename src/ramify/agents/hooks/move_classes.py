"""Move classes and moves of a simulation for policies: ``core.hooks.move_classes`` for one search tree."""

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
    """The column of classes, the moves of the last simulation, and the tables that policies keep by class.

    The tables stay while a game goes on, and are cleared with the tree when a search starts anew.
    """

    rows = 1

    def __init__(self, game: Game, choosers: Selectors) -> None:
        self.game, self.choosers = game, choosers
        self.on_expand = classify_kernel()
        self.traced = choosers.made
        self.on_simulation = record_moves_kernel() if choosers.made else None
        self._classify = game.kernel("move_class")  # owns the machine code behind the address
        self.classes = table_classes(game)
        self._made = np.zeros(1 + MAX_DEPTH + MAX_TRACE if choosers.made else 1, np.int64)
        self.block = np.zeros(1, MOVE_CLASSES)
        self.block["mover"], self.block["classes"] = game.table().mover, self.classes
        self.block["classify"] = self._classify.address if self._classify else 0
        self.block["made"] = address(self._made)
        self.tables = choosers.make_tables(game.players * self.classes, address(self._made))

    def set_addresses(self, memory: Memory, columns: int) -> None:
        """Its column, which policies read; a playout that traces its moves must know how many classes there are."""
        self.block["class_of"] = columns
        self.choosers.place_classes(columns)
        if self.traced:
            record(memory.episode, EPISODE).classes = self.classes

    def clear(self, *, moved: bool = False) -> None:
        """The tables stay where the game has moved on."""
        self.block["out_of_range"] = 0
        for table in () if moved else self.tables:
            table[:] = 0.0

    @property
    def nbytes(self) -> int:
        """Of the tables."""
        return sum(table.nbytes for table in self.tables)

    def check(self) -> None:
        """Raise an error where a game has a move class that is out of range."""
        move = int(self.block["out_of_range"][0]) - 1
        if move >= 0:
            raise class_out_of_range(self.game, move)
