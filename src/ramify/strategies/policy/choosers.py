"""The two choosers of a search, at the root and below: their kernels, and the blocks these are handed."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ramify.core.engine.plan import Memory
from ramify.core.numbers.logs import TABLE
from ramify.strategies.policy.layout import (
    AMAF_AT,
    FPU,
    HEADER,
    KEPT,
    LOGS,
    MEMORY,
    NODES,
    OFFSET,
    PLAYERS,
    RNG,
    SCRATCH_AT,
    SQUARES,
    STRIDE,
)
from ramify.strategies.policy.registry import Selection

Floats = npt.NDArray[np.float64]


class Choosers:
    """The policies of one search in memory.

    The two share what they keep for each arm where they are the same policy, and the whole block (constants and what
    is kept for the search) where their constants are the same, too.
    """

    def __init__(self, root: Selection, inner: Selection, fpu: float, players: int) -> None:
        self.root, self.inner = root.policy, inner.policy  # they own the machine code behind the addresses
        same = self.root == self.inner
        first = self.root.width(players)
        self.rows = first if same else first + self.inner.width(players)  # columns beside the tree
        self.squares = self.root.needs_squares or self.inner.needs_squares
        self.priors = self.root.needs_priors or self.inner.needs_priors
        self.amaf = self.root.needs_amaf or self.inner.needs_amaf
        self.ref = next((int(value or 0) for one in (inner, root) for name, value in one.constants if name == "ref"), 0)
        self.tables = self.root.from_ancestors or self.inner.from_ancestors
        self.learning = any(hook for one in (self.root, self.inner) for hook in (one.update_kernel, one.after_kernel))
        self.root_block = block(root, fpu, players, 0)
        self.shared = same and root.constants == inner.constants
        self.inner_block = self.root_block if self.shared else block(inner, fpu, players, 0 if same else first)
        # What the root's policy kept is missing from a subtree where another policy chose.
        # So are RAVE's own sums there, if GRAVE put an ancestor's in their place.
        self.reusable = same or (first == 0 and not (self.root.needs_amaf and self.tables))
        self.evenly = inner.policy.draws_evenly_first(fpu)

    def place(self, memory: Memory, columns: int, sums: int = 0) -> None:
        """Tell the policies where the search keeps its statistics; to be said again whenever these move.

        ``columns`` are their own, ``sums`` is where S and R of all moves as first begin.
        """
        for block in (self.root_block, self.inner_block):
            block[NODES], block[SQUARES], block[KEPT] = memory.nodes, memory.squares, columns
            block[STRIDE], block[RNG], block[SCRATCH_AT] = memory.stride, memory.rng, memory.scratch
            block[AMAF_AT] = sums

    def reset(self) -> None:
        """Forget what was kept for the search."""
        for memory in (self.root_block, self.inner_block):
            memory[-MEMORY:] = 0.0


def block(chosen: Selection, fpu: float, players: int, offset: int) -> Floats:
    """A policy's block of memory: the header of ``source``, its constants, and what it keeps for the search."""
    numbers = [math.nan if number is None else number for _, number in chosen.constants]
    made = np.zeros(HEADER + len(numbers) + MEMORY)
    made[[FPU, PLAYERS, OFFSET, LOGS]] = fpu, players, offset, TABLE.ctypes.data
    made[HEADER : HEADER + len(numbers)] = numbers
    return made
