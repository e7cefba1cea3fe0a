"""The arrays of one search tree: its nodes, and columns with one number per node."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from ramify.contract.game import Code
from ramify.core.kernels.pointers import address
from ramify.core.search.tree import MAX_HIDDEN, NODE, PADDING_NODES, ROOT, UNEXPANDED, copy_subtree, reorder_children
from ramify.errors import RamifyError

INITIAL_NODES = 1 << 14
MAX_NODES = (1 << 31) - 1  # a node's number has 31 bits
ALIGNMENT = 16  # bytes


def aligned(size: int) -> int:
    """Round a record's size up to a multiple of ALIGNMENT."""
    return -(-size // ALIGNMENT) * ALIGNMENT


class Tree:
    """Arrays of nodes and of ``columns`` with one number per node, shape (column_count, nodes).

    A tree starts small. When it is full it moves once, to the largest size allowed: the system provides pages only when
    they are written, and large ones in that case, which takes a fifth less time than growing step by step.
    """

    def __init__(self, columns: int, least: int, initial: int = INITIAL_NODES) -> None:
        self.column_count = columns
        self.nodes, self.columns = self._allocate(max(initial, least + PADDING_NODES))

    def _allocate(self, nodes: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.float64]]:
        columns = np.empty(self.column_count * nodes + PADDING_NODES)[: self.column_count * nodes].reshape(
            self.column_count, nodes
        )
        return np.empty(nodes, NODE), columns

    def _allocate_up_to(self, wanted: int, least: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.float64]]:
        """Allocate ``wanted`` nodes; if the system refuses, half as many, and so on down to ``least``."""
        while True:
            try:
                return self._allocate(wanted)
            except MemoryError:
                wanted //= 2
                if wanted < least:
                    raise

    @property
    def bytes_per_node(self) -> int:
        """Bytes per node, including its columns."""
        return NODE.itemsize + 8 * self.column_count

    def clear(self) -> None:
        """Reset to an unexpanded root."""
        self.nodes[ROOT] = 0
        self.nodes["first"][ROOT] = UNEXPANDED
        self.columns[:, ROOT] = 0.0

    def children(self, node: int = ROOT) -> slice:
        """Return the slice of a node's children, live and hidden."""
        here = self.nodes[node]
        first = int(here["first"])
        return slice(first, first + int(here["live"]) + int(here["hidden"])) if first >= 0 else slice(0, 0)

    def moves(self, node: int) -> Iterable[tuple[Code, int, int]]:
        """Return (move code, child's node number, visits) for each child of a node."""
        where = self.children(node)
        codes, visits = (self.nodes[name][where].tolist() for name in ("move", "visits"))
        return zip(codes, range(where.start, where.stop), visits, strict=True)

    def child(self, node: int, code: Code) -> int | None:
        """Return the child that a move leads to, or None."""
        children = self.children(node)
        at = np.flatnonzero(self.nodes["move"][children] == code)
        return children.start + int(at[0]) if len(at) else None

    def grow(self, used: int, most: int) -> None:
        """Move to larger arrays of up to ``most`` nodes; ``used``: nodes in use."""
        nodes, columns = self._allocate_up_to(min(most, MAX_NODES), len(self.nodes) + 1)
        nodes[:used] = self.nodes[:used]
        columns[:, :used] = self.columns[:, :used]
        self.nodes, self.columns = nodes, columns

    def keep_subtree(self, child: int, used: int) -> tuple[int, int]:
        """Make ``child`` the root and keep its subtree. Return the number of nodes kept and their depth."""
        nodes, columns = self._allocate_up_to(len(self.nodes), used + PADDING_NODES)
        kept = self._copy(
            *(address(self.nodes), address(self.columns), len(self.nodes), child),
            *(address(nodes), address(columns), len(nodes), self.column_count),
        )
        self.nodes, self.columns = nodes, columns
        return kept

    def _copy(self, *arguments: int) -> tuple[int, int]:
        copied: tuple[int, int] = copy_subtree(*arguments)
        return copied

    def reorder_children(self, order: npt.NDArray[np.int64], live: int) -> None:
        """Reorder the root's children. The first ``live`` stay visible to policies; the others are hidden."""
        if len(order) - live > MAX_HIDDEN:
            raise RamifyError(f"at most {MAX_HIDDEN} children of a node can be hidden, not {len(order) - live}")
        order = np.ascontiguousarray(order, np.int64)
        spare = np.empty(len(order), NODE)
        where = (address(self.nodes), address(self.columns), self.column_count, len(self.nodes))
        reorder_children(*where, ROOT, address(order), live, address(spare))
