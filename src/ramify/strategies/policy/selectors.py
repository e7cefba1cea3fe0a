"""The two choosers of a search, at the root and below: their kernels, and the blocks these are handed."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from ramify.core.kernels.pointers import address
from ramify.core.numbers.logs import TABLE
from ramify.core.search.plan import Memory
from ramify.strategies.policy.block_layout import COLUMN, CONSTANT_PREFIX, block_type
from ramify.strategies.policy.registry import Selection

Floats = npt.NDArray[np.float64]
Block = npt.NDArray[np.void]  # one record of layout.block_type


class Selectors:
    """The policies of one search in memory.

    The two share what they keep for each arm where they are the same policy, and the whole block (constants and what
    is kept for the search) where their constants are the same, too.
    """

    def __init__(self, root: Selection, inner: Selection, fpu: float, players: int, *, mixes: bool = False) -> None:
        self.root, self.inner = root.policy, inner.policy  # they own the machine code behind the addresses
        self.mixes = mixes  # whether average strategies are kept
        same = self.root == self.inner
        first, second = (one.width(players) + (mixes and one.average is not None) for one in (self.root, self.inner))
        self.rows = first if same else first + second  # columns beside the tree
        self.average = first - 1 if mixes and self.root.average else None  # which of them has that of the root
        self.squares = self.root.needs_squares or self.inner.needs_squares
        self.priors = self.root.needs_priors or self.inner.needs_priors
        self.amaf = self.root.needs_amaf or self.inner.needs_amaf
        self.raw = self.root.needs_raw or self.inner.needs_raw
        self.ref = next((int(value or 0) for one in (inner, root) for name, value in one.constants if name == "ref"), 0)
        self.tables = self.root.uses_ancestor_amaf or self.inner.uses_ancestor_amaf
        self.learning = any(hook for one in (self.root, self.inner) for hook in (one.update_kernel, one.after_kernel))
        self.root_block = block(root, fpu, players, 0)
        self.shared = same and root.constants == inner.constants
        self.inner_block = self.root_block if self.shared else block(inner, fpu, players, 0 if same else first)
        # What the root's policy kept is missing from a subtree where another policy chose.
        # So are RAVE's own sums there, if GRAVE put an ancestor's in their place.
        self.reusable = same or (first == 0 and not (self.root.needs_amaf and self.tables))
        self.evenly = inner.policy.first_uniform(fpu)

    @property
    def classes(self) -> bool:
        """Whether a policy needs the classes of moves."""
        return self.root.needs_classes or self.inner.needs_classes

    @property
    def made(self) -> bool:
        """Whether a policy needs all moves of a simulation."""
        return self.root.needs_made or self.inner.needs_made

    def place(self, memory: Memory, columns: int, sums: int = 0, raw: int = 0) -> None:
        """Tell the policies where the search keeps its statistics; to be said again whenever these move.

        ``columns`` are their own, ``sums`` is where S and R of all moves as first begin, ``raw`` where the game's own
        scores are kept if a reward changes them.
        """
        for block in (self.root_block, self.inner_block):
            for name in ("nodes", "squares", "stride", "rng", "scratch"):
                block[name] = getattr(memory, name)
            block["kept"], block["amaf"], block["raw"] = columns, sums, raw or memory.scores

    @property
    def widens(self) -> bool:
        """Whether a policy considers only the first of the children, so that their order matters."""
        return bool(self.root.candidates or self.inner.candidates)

    def place_columns(self, addresses: Mapping[str, int]) -> None:
        """Tell the policies where the columns of the backup are; called again whenever these move."""
        for block, policy in ((self.root_block, self.root), (self.inner_block, self.inner)):
            for name in policy.columns:
                block[COLUMN + name] = addresses[name]

    def make_tables(self, classes: int, made: int) -> list[Floats]:
        """Room for what the policies keep by move class, and where the moves of a simulation are written down."""
        tables = []
        both = ((self.root_block, self.root), (self.inner_block, self.inner))
        for block, policy in both[: 1 if self.shared else 2]:
            tables.append(np.zeros((len(policy.tables), classes)))
            block["classes"], block["by_class"], block["made"] = classes, address(tables[-1]), made
        return tables

    def place_classes(self, column: int) -> None:
        """Tell the policies where the classes of moves are; called again whenever these move."""
        for block in (self.root_block, self.inner_block):
            block["class_of"] = column

    def reset(self) -> None:
        """Forget what was kept for the search."""
        for block in (self.root_block, self.inner_block):
            block["memory"] = 0.0


def block(chosen: Selection, fpu: float, players: int, offset: int) -> Block:
    """A policy's block of memory with its settings and constants."""
    made = np.zeros(1, block_type((name for name, _ in chosen.constants), chosen.policy.columns))
    made["fpu"], made["players"], made["offset"], made["logs"] = fpu, players, offset, address(TABLE)
    for name, number in chosen.constants:
        made[CONSTANT_PREFIX + name] = math.nan if number is None else number
    return made
