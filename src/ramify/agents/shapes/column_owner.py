"""Base class of shapes and hooks: owners of columns, which hold one number per node."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ramify.contract.game import State
from ramify.core.search.plan import Memory


class ColumnOwner:
    """Owns ``column_count`` columns beside the tree, and perhaps more memory. All methods are optional."""

    column_count = 0

    def set_addresses(self, memory: Memory, columns: int) -> None:
        """Store addresses: of the search's memory, and of the first own column. Called whenever they change."""

    def on_new_root(self, state: State) -> None:
        """Prepare for searches from ``state``."""

    def clear(self, *, moved: bool = False) -> None:
        """Clear all data of the tree. ``moved``: the game has advanced to a position outside the tree."""

    def keep_subtree(self, columns: npt.NDArray[np.float64]) -> None:
        """Update after a subtree was kept; ``columns``: the own columns of the nodes kept."""

    def check(self) -> None:
        """Raise errors found by the kernels during the last chunk."""

    # Memory besides the columns.

    @property
    def nbytes(self) -> int:
        """Bytes besides the columns."""
        return 0

    @property
    def full(self) -> bool:
        """Whether more capacity is needed and allowed."""
        return False

    def grow(self) -> None:
        """Double the capacity."""
