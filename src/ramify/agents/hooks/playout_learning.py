"""Playouts that learn: ``core.hooks.playout_learning`` for one tree."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ramify.agents.hooks.hook import Hook
from ramify.agents.hooks.raw_scores import RawScores
from ramify.contract.game import Game
from ramify.contract.move_classes import class_out_of_range
from ramify.core.hooks.playout_learning import classify_kernel, learning_kernel
from ramify.core.kernels.pointers import address
from ramify.core.playouts.move_sequence import LEARNING_TABLE, MAX_SEQUENCE, MOVE_SEQUENCE
from ramify.core.search.plan import Memory
from ramify.strategies.base import PlayoutTables


class PlayoutLearningHook(Hook):
    """Updates a playout's tables after each simulation and stores the move class of every node."""

    def __init__(self, game: Game, learning: PlayoutTables, raw: RawScores | None) -> None:
        self.game, self.learning = game, learning
        result = address(raw.scores) if raw else 0
        self.on_simulation = learning_kernel() if learning.tables else None
        self.on_expand = classify_kernel()
        self._classify = game.kernel("move_class")
        self.column_count = 1 if self._classify else 0
        self._line = np.empty(MAX_SEQUENCE if learning.tables else 0, np.int64)
        self._tables = np.array(
            [(one.learn.address, address(one.block), result if one.learns_result else 0) for one in learning.tables],
            LEARNING_TABLE,
        )
        self.block = np.zeros(1, MOVE_SEQUENCE)
        numbers = {
            "moves": address(self._line),
            "classes": learning.classes,
            "classify": self._classify.address if self._classify else 0,
            "tables": address(self._tables),
            "count": len(self._tables),
        }
        for name, value in numbers.items():
            self.block[name] = value

    def set_addresses(self, memory: Memory, columns: int) -> None:
        del memory
        self.block["class_of"] = self.learning.block["class_of"] = columns if self.column_count else 0

    def clear(self, *, moved: bool = False) -> None:
        """Decay the tables if the game has advanced, else clear them."""
        self.block["out_of_range"] = self.learning.context["out_of_range"] = 0
        for table in self.learning.tables:
            if moved:
                table.decay()
            else:
                table.clear()

    def keep_subtree(self, columns: npt.NDArray[np.float64]) -> None:
        """Decay the tables: the game has advanced."""
        del columns
        for table in self.learning.tables:
            table.decay()

    @property
    def nbytes(self) -> int:
        return sum(table.nbytes for table in self.learning.tables)

    def check(self) -> None:
        """Raise if the class of a move is out of range."""
        move = max(int(self.block["out_of_range"][0]), int(self.learning.context["out_of_range"][0])) - 1
        if move >= 0:
            raise class_out_of_range(self.game, move)
