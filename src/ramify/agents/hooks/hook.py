"""Base class of hooks: kernels, a block of memory, and columns beside the tree."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from ramify.agents.shapes.column_owner import ColumnOwner
from ramify.core.kernels.compiling import Kernel


class Hook(ColumnOwner):
    """Called when children are added, when a simulation ends, or both. Override only what you need."""

    on_expand: Kernel | None = None  # (block, episode, first, count)
    on_simulation: Kernel | None = None  # (block, episode) -> status
    block: npt.NDArray[Any]
    traced = False  # whether playouts must record their moves
