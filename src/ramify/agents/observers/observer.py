"""An observer as Python sees it: its kernels, its block of memory, and what it keeps beside the tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ramify.contract.game import State
from ramify.core.engine.plan import Memory
from ramify.core.kernels.compiling import Kernel


class Observer:
    """The base of all: what one has nothing to do with it need not say."""

    kernel: Kernel | None = None  # (block, episode) -> status, told of every finished simulation
    herald: Kernel | None = None  # (block, episode, first, count), told of new children
    block: npt.NDArray[Any]
    rows = 0  # columns that it keeps beside the tree
    traced = False  # whether playouts must write down their moves

    def place(self, memory: Memory, columns: int) -> None:
        """Say where the search keeps everything, and where its own columns begin; said again whenever these move."""

    def aim(self, state: State) -> None:
        """The search is to start from here."""

    def forget(self, *, moved: bool = False) -> None:
        """The tree is forgotten; ``moved``: because the game went on where nothing was known."""

    def keep(self, columns: npt.NDArray[np.float64]) -> None:
        """Only a subtree is kept; these are its columns, as far as they are in use."""

    def check(self) -> None:
        """Raise what went wrong during the last chunk."""

    # What it has beside its columns, and how that grows.

    @property
    def nbytes(self) -> int:
        """How many bytes."""
        return 0

    @property
    def full(self) -> bool:
        """Whether it needs more room, and may have it."""
        return False

    def grow(self) -> None:
        """Take twice as much."""
