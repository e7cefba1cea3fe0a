"""The current line of one alpha-beta search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ramify.contract.game import MOVE_BUFFER_SLACK
from ramify.core.kernels.pointers import address
from ramify.solver import memory as core

if TYPE_CHECKING:
    from ramify.contract.game import Game, State


class SearchLine:
    """The current line of one alpha-beta search and its history table. The search can be paused and resumed."""

    def __init__(self, game: Game, stride: int, table: dict[str, int]) -> None:
        width = game.max_children
        self.control = np.zeros(1, core.CONTROL)
        self.question: tuple[Any, float, int] | None = None  # the current one
        self.arrays = {
            "control": self.control,
            "frames": np.zeros(core.LEVELS, core.FRAME),
            "path": np.zeros(core.LEVELS, np.uint64),
            "states": np.zeros((core.LEVELS + 1) * stride, np.uint8),
            "moves": np.zeros(core.LEVELS * width + MOVE_BUFFER_SLACK, np.int64),
            "order": np.zeros(core.LEVELS * width, np.int64),
            "replies": np.zeros(width + MOVE_BUFFER_SLACK, np.int64),
            "probabilities": np.zeros(width + MOVE_BUFFER_SLACK),
            "scores": np.zeros(game.players),
            "history": np.zeros(2 * core.HISTORY, np.int64),
        }
        self.memory = core.SolverMemory(
            **{name: address(array) for name, array in self.arrays.items()},
            stride=stride,
            **table,
        )

    def count(self, name: str) -> int:
        """Return an integer field of the control record."""
        return int(self.control[name][0])

    def begin(self, game: Game, state: State, question: float, number: int, limit: int) -> None:
        """Start a question, or resume it if it is the current one."""
        wanted = (state.data, question, limit)
        if self.question is not None and self.question[0] is state.data and self.question[1:] == wanted[1:]:
            return
        self.question = wanted
        for name, value in (("status", core.RUNNING), ("level", -1), ("limit", limit), ("number", number)):
            self.control[name] = value
        self.control["question"] = question
        game.to_address(state.data, self.memory.states)
