"""The two selectors of a search, at the root and below: their kernels and blocks."""

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
Block = npt.NDArray[np.void]  # one record of block_layout.block_type


class Selectors:
    """The policies of one search in memory.

    If both are the same policy, they share the statistics per arm; if their constants are also equal, they share the
    whole block (constants, statistics per search and per game).
    """

    def __init__(
        self, root: Selection, inner: Selection, fpu: float, players: int, *, keeps_average: bool = False
    ) -> None:
        self.root, self.inner = root.policy, inner.policy  # they own the machine code behind the addresses
        self.keeps_average = keeps_average  # whether average strategies are kept
        same = self.root == self.inner
        first, second = (
            one.width(players) + (keeps_average and one.average is not None) for one in (self.root, self.inner)
        )
        self.rows = first if same else first + second  # columns beside the tree
        self.average = first - 1 if keeps_average and self.root.average else None  # column of the root's average
        self.squares = self.root.needs_squares or self.inner.needs_squares
        self.priors = self.root.needs_priors or self.inner.needs_priors
        self.amaf = self.root.needs_amaf or self.inner.needs_amaf
        self.raw = self.root.needs_raw or self.inner.needs_raw
        self.ref = next((int(value or 0) for one in (inner, root) for name, value in one.constants if name == "ref"), 0)
        self.tables = self.root.uses_ancestor_amaf or self.inner.uses_ancestor_amaf
        self.learning = any(one.update_kernel or one.after_kernel for one in (self.root, self.inner))
        self.root_block = block(root, fpu, players, 0)
        self.shared = same and root.constants == inner.constants
        self.inner_block = self.root_block if self.shared else block(inner, fpu, players, 0 if same else first)
        # A subtree in which another policy selected lacks the statistics of the root's policy.
        # It also lacks RAVE's own sums if GRAVE has replaced them by an ancestor's.
        self.reusable = same or (first == 0 and not (self.root.needs_amaf and self.tables))
        self.first_uniform = inner.policy.first_uniform(fpu)

    @property
    def classes(self) -> bool:
        """Whether a policy needs move classes."""
        return self.root.needs_classes or self.inner.needs_classes

    @property
    def made(self) -> bool:
        """Whether a policy needs all moves of a simulation."""
        return self.root.needs_made or self.inner.needs_made

    def place(self, memory: Memory, columns: int, sums: int = 0, raw: int = 0) -> None:
        """Write the addresses of the search's statistics to the blocks. Call it again whenever they move.

        ``columns``: the policies' own; ``sums``: S and R of AMAF; ``raw``: the game's scores if a reward changes them.
        """
        for block in (self.root_block, self.inner_block):
            for name in ("nodes", "squares", "stride", "rng", "scratch", "episode"):
                block[name] = getattr(memory, name)
            block["kept"], block["amaf"], block["raw"] = columns, sums, raw or memory.scores

    @property
    def widens(self) -> bool:
        """Whether a policy considers only the first children, so that their order matters."""
        return bool(self.root.candidates or self.inner.candidates)

    def place_columns(self, addresses: Mapping[str, int]) -> None:
        """Write the addresses of the backup's columns to the blocks. Call it again whenever they move."""
        for block, policy in ((self.root_block, self.root), (self.inner_block, self.inner)):
            for name in policy.columns:
                block[COLUMN + name] = addresses[name]

    def make_tables(self, classes: int, made: int) -> list[Floats]:
        """Allocate the tables by move class. ``made``: address of the moves of a simulation."""
        tables = []
        both = ((self.root_block, self.root), (self.inner_block, self.inner))
        for block, policy in both[: 1 if self.shared else 2]:
            tables.append(np.zeros((len(policy.tables), classes)))
            block["classes"], block["by_class"], block["made"] = classes, address(tables[-1]), made
        return tables

    def place_classes(self, column: int) -> None:
        """Write the address of the move classes to the blocks. Call it again whenever they move."""
        for block in (self.root_block, self.inner_block):
            block["class_of"] = column

    def reset(self, *, same_game: bool) -> None:
        """Clear the statistics per search, and those per game unless the next search is of the same game."""
        for block in (self.root_block, self.inner_block):
            block["memory"] = 0.0
            if not same_game:
                block["game_memory"] = 0.0


def block(chosen: Selection, fpu: float, players: int, offset: int) -> Block:
    """Return a policy's block with its settings and constants."""
    made = np.zeros(1, block_type((name for name, _ in chosen.constants), chosen.policy.columns))
    made["fpu"], made["players"], made["offset"], made["logs"] = fpu, players, offset, address(TABLE)
    for name, number in chosen.constants:
        made[CONSTANT_PREFIX + name] = math.nan if number is None else number
    return made
