"""What the engine is given for the two selection policies of a search: at the root and below."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ramify.core.engine.search import Memory
from ramify.core.engine.tree import SPARE
from ramify.core.kernels.pointers import address
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

# Columns of core.engine.amaf, after what the policies keep themselves.
CLASS_OF, COUNTS, TOTALS, TABLE_OF = range(4)
AMAF_ROWS = 4

Floats = npt.NDArray[np.float64]


class Bound:
    """The policies of one search in memory: addresses for ``core.engine.search.Plan``, and the blocks these point to.

    The two share what they keep for each arm where they are the same policy, and the whole block (constants and what
    is kept for the search) where their constants are the same, too.
    """

    def __init__(self, root: Selection, below: Selection, fpu: float, players: int) -> None:
        self.root, self.below = root.policy, below.policy  # they own the machine code behind the addresses
        same = self.root == self.below
        first = self.root.width(players)
        self.amaf_row = first if same else first + self.below.width(players)
        self.amaf = self.root.needs_amaf or self.below.needs_amaf
        self.ref = next((int(value or 0) for one in (below, root) for name, value in one.constants if name == "ref"), 0)
        self.tables = self.root.from_ancestors or self.below.from_ancestors
        self.width = self.amaf_row + (AMAF_ROWS if self.amaf else 0)
        self.root_block = block(root, fpu, players, 0)
        shared = same and root.constants == below.constants
        self.below_block = self.root_block if shared else block(below, fpu, players, 0 if same else first)
        # What the root's policy kept is missing from a subtree where another policy chose.
        # So are RAVE's own sums there, if GRAVE put an ancestor's in their place.
        self.reusable = same or (first == 0 and not (self.root.needs_amaf and self.tables))
        self.evenly = below.policy.draws_evenly_first(fpu)

    def plan(self) -> dict[str, int]:
        """The fields of the plan that concern selection."""
        root, below = self.root, self.below
        hooks = {
            "update_root": root.update_kernel,
            "update": below.update_kernel,
            "after_root": root.after_kernel,
            "after": None if self.root_block is self.below_block else below.after_kernel,
        }
        return {
            "select_root": root.kernel.address,
            "root_constants": address(self.root_block),
            "select": below.kernel.address,
            "constants": address(self.below_block),
            "squares": int(root.needs_squares or below.needs_squares),
            "kept": self.width,
            "evenly": int(self.evenly),
            "priors": int(root.needs_priors or below.needs_priors),
            "learning": int(any(hooks.values())),
            **{name: hook.address if hook else 0 for name, hook in hooks.items()},
        }

    def table(self, nodes: int, old: Floats | None = None) -> Floats:
        """Room for what the policies keep of that many nodes, one row a statistic, with what stood in an old table."""
        made = np.zeros(self.width * nodes + SPARE)[: self.width * nodes].reshape(self.width, nodes)
        if old is not None:
            made[:, : old.shape[1]] = old
        return made

    def place(self, memory: Memory) -> None:
        """Tell the policies where the search keeps its statistics; to be said again whenever these move."""
        for block in (self.root_block, self.below_block):
            block[NODES], block[SQUARES], block[KEPT] = memory.nodes, memory.squares, memory.kept
            block[STRIDE], block[RNG], block[SCRATCH_AT] = memory.stride, memory.rng, memory.scratch
            block[AMAF_AT] = self.column(memory, COUNTS)

    def column(self, memory: Memory, which: int) -> int:
        """Where one of the columns of ``core.engine.amaf`` stands."""
        return memory.kept + 8 * memory.stride * (self.amaf_row + which)

    def reset(self) -> None:
        """Forget what was kept for the search."""
        for memory in (self.root_block, self.below_block):
            memory[-MEMORY:] = 0.0


def block(chosen: Selection, fpu: float, players: int, offset: int) -> Floats:
    """A policy's block of memory: the header of ``source``, its constants, and what it keeps for the search."""
    numbers = [math.nan if number is None else number for _, number in chosen.constants]
    made = np.zeros(HEADER + len(numbers) + MEMORY)
    made[[FPU, PLAYERS, OFFSET, LOGS]] = fpu, players, offset, address(TABLE)
    made[HEADER : HEADER + len(numbers)] = numbers
    return made
