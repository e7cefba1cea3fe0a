"""The arrays of one search tree: its nodes, and the columns of numbers beside them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from ramify.contract.game import Code
from ramify.core.kernels.pointers import address
from ramify.core.search.tree import MAX_HIDDEN, NODE, PADDING_NODES, ROOT, UNEXPANDED, copy_subtree, reorder_children
from ramify.errors import RamifyError

FIRST_CAPACITY = 1 << 14
MAX_NODES = (1 << 31) - 1  # a node's number has 31 bits
ALIGNED = 16  # bytes; where a record begins


def aligned(size: int) -> int:
    """The bytes that records of a size take, so that the next one begins where it should."""
    return -(-size // ALIGNED) * ALIGNED


class Tree:
    """Room for nodes, and for ``rows`` columns of one number a node.

    A tree begins small. When it is full it moves once, to as much room as it could ever take: the system hands out
    pages only as they are written to, and large ones there, which saves a fifth of the time of growing step by step.
    """

    def __init__(self, rows: int, least: int, first: int = FIRST_CAPACITY) -> None:
        self.rows = rows
        self.nodes, self.columns = self._room(max(first, least + PADDING_NODES))

    def _room(self, nodes: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.float64]]:
        columns = np.empty(self.rows * nodes + PADDING_NODES)[: self.rows * nodes].reshape(self.rows, nodes)
        return np.empty(nodes, NODE), columns

    def _granted(self, wanted: int, least: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.float64]]:
        """Room for as many nodes as are wanted or, where the system does not promise so much, for half as many, ..."""
        while True:
            try:
                return self._room(wanted)
            except MemoryError:
                wanted //= 2
                if wanted < least:
                    raise

    @property
    def bytes_per_node(self) -> int:
        """Bytes of a node with its columns."""
        return NODE.itemsize + 8 * self.rows

    def clear(self) -> None:
        """Leave nothing but a root without children."""
        self.nodes[ROOT] = 0
        self.nodes["first"][ROOT] = UNEXPANDED
        self.columns[:, ROOT] = 0.0

    def children(self, node: int = ROOT) -> slice:
        """Where the children of a node stand, live or not."""
        here = self.nodes[node]
        first = int(here["first"])
        return slice(first, first + int(here["live"]) + int(here["hidden"])) if first >= 0 else slice(0, 0)

    def moves(self, node: int) -> Iterable[tuple[Code, int, int]]:
        """The moves that lead to the children of a node, with their numbers and visits."""
        where = self.children(node)
        codes, visits = (self.nodes[name][where].tolist() for name in ("move", "visits"))
        return zip(codes, range(where.start, where.stop), visits, strict=True)

    def child(self, node: int, code: Code) -> int | None:
        """The child of a node that a move leads to; None where the tree has none."""
        children = self.children(node)
        at = np.flatnonzero(self.nodes["move"][children] == code)
        return children.start + int(at[0]) if len(at) else None

    def grow(self, used: int, most: int) -> None:
        """Move to room for up to ``most`` nodes, or for as many as the system grants; ``used`` are in use."""
        nodes, columns = self._granted(min(most, MAX_NODES), len(self.nodes) + 1)
        nodes[:used] = self.nodes[:used]
        columns[:, :used] = self.columns[:, :used]
        self.nodes, self.columns = nodes, columns

    def keep(self, child: int, used: int) -> tuple[int, int]:
        """Keep what is below ``child``, which becomes the root; the number of nodes kept and their depth."""
        nodes, columns = self._granted(len(self.nodes), used + PADDING_NODES)
        kept = self._copy(
            *(address(self.nodes), address(self.columns), len(self.nodes), child),
            *(address(nodes), address(columns), len(nodes), self.rows),
        )
        self.nodes, self.columns = nodes, columns
        return kept

    def _copy(self, *arguments: int) -> tuple[int, int]:
        copied: tuple[int, int] = copy_subtree(*arguments)
        return copied

    def reorder_children(self, order: npt.NDArray[np.int64], live: int) -> None:
        """Reorder the root's children; policies see the first ``live`` from now on."""
        if len(order) - live > MAX_HIDDEN:
            raise RamifyError(f"at most {MAX_HIDDEN} children of a node can be hidden, not {len(order) - live}")
        order = np.ascontiguousarray(order, np.int64)
        spare = np.empty(len(order), NODE)
        where = (address(self.nodes), address(self.columns), self.rows, len(self.nodes))
        reorder_children(*where, ROOT, address(order), live, address(spare))
