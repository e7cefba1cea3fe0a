"""What keeps numbers beside the tree: columns with one number per node, and perhaps more."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ramify.contract.game import State
from ramify.core.search.plan import Memory


class ColumnOwner:
    """The base of shapes and hooks. A method that has nothing to do need not be defined."""

    rows = 0  # columns that it keeps beside the tree

    def set_addresses(self, memory: Memory, columns: int) -> None:
        """Note where the search keeps everything, and where its own columns begin; called whenever these move."""

    def on_new_root(self, state: State) -> None:
        """Prepare for a search that starts at ``state``."""

    def clear(self, *, moved: bool = False) -> None:
        """Forget the tree; ``moved``: the game went on to a position that the tree did not have."""

    def keep_subtree(self, columns: npt.NDArray[np.float64]) -> None:
        """Follow the tree, of which a subtree was kept; ``columns`` are its own, as far as they are in use."""

    def check(self) -> None:
        """Raise what went wrong during the last chunk."""

    # What it has beside its columns, and how that grows.

    @property
    def nbytes(self) -> int:
        """Bytes beside its columns."""
        return 0

    @property
    def full(self) -> bool:
        """Whether it needs more room, and may have it."""
        return False

    def grow(self) -> None:
        """Take twice as much room."""
