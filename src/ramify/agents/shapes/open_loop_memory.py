"""Chance outside the tree: the memory of ``core.shapes.open_loop`` for one search tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ramify.agents.hooks.hook import Observer
from ramify.contract.game import Game
from ramify.core.search.plan import Memory
from ramify.core.shapes.open_loop import OPEN_LOOP

if TYPE_CHECKING:
    from ramify.agents.agent import Agent

EXPLICIT, OPEN = CHANCES = ("explicit", "open")


class OpenLoop(Observer):
    """The column of places for the children of each node. It is told of nothing: the loop looks into it itself."""

    rows = 1

    def __init__(self) -> None:
        self.block = np.zeros(1, OPEN_LOOP)

    def place(self, memory: Memory, columns: int) -> None:
        """The column of places."""
        del memory
        self.block["rooms"] = columns

    def keep(self, columns: npt.NDArray[np.float64]) -> None:
        """A copied tree has no places to spare."""
        columns[:] = 0.0

    @property
    def needed(self) -> int:
        """Nodes that the last simulation lacked room for."""
        return int(self.block["needed"][0])


def open_loop_for(game: Game, agent: Agent) -> OpenLoop | None:
    """The memory of an agent's search; None where chance is in the tree, or where there is none."""
    return OpenLoop() if agent.chance == OPEN and game.has_chance else None
