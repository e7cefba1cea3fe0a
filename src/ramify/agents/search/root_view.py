"""Read access to the root of one tree, for reports, recommendations and tree views."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ramify.agents.hooks.bounds import Bounds
from ramify.agents.search.build import SearchParts
from ramify.agents.search.tree_memory import TreeMemory
from ramify.core.search.tree import ROOT
from ramify.errors import RamifyError

Floats = npt.NDArray[np.float64]


class RootView:
    """The root of one tree."""

    def __init__(self, parts: SearchParts, memory: TreeMemory) -> None:
        self.parts, self.memory = parts, memory

    def moves(self, player: int) -> slice:
        """Return the nodes of the root's moves; with simultaneous moves, those of ``player``."""
        return self.parts.shape.moves_at_root(player)

    def average_strategy(self, where: slice) -> Floats:
        """Return the unnormalized average strategy of some moves: the policy's own if it keeps one, else the visits."""
        row, tree = self.parts.selectors.average, self.memory.tree
        if row is None:
            return tree.nodes["visits"][where].astype(np.float64)
        weights: Floats = tree.columns[self.parts.selectors.squares + row, where]
        return weights

    def amaf(self, where: slice | None = None) -> tuple[Floats, Floats]:
        """Return S and R (``core.hooks.amaf``) of some moves, by default all, as the policy sees them next."""
        tree, amaf = self.memory.tree, self.parts.amaf
        where = tree.children() if where is None else where
        if amaf is None:
            return np.zeros(where.stop - where.start), np.zeros(where.stop - where.start)
        return amaf.at_root(self.memory.columns_of(amaf), where, int(tree.nodes["mover"][ROOT]))

    def column(self, name: str, where: slice) -> Floats:
        """Return a column of the backup at some nodes."""
        backup = self.parts.backup
        if backup is None or name not in backup.names:
            raise RamifyError(f"backup={self.parts.agent.backup.title()} has no column '{name}'")
        return self.memory.columns_of(backup)[backup.names.index(name), where]

    def bounds(self, where: slice, player: int) -> Bounds | None:
        """Return the proven bounds of a player's score at some nodes, or None unless the agent proves scores."""
        proofs = self.parts.proofs
        return None if proofs is None else proofs.bounds(self.memory.columns_of(proofs)[:, where], player)

    @property
    def proven(self) -> bool:
        """Whether the score of the player to move is proven."""
        known = self.bounds(slice(ROOT, ROOT + 1), int(self.memory.tree.nodes["mover"][ROOT]))
        return known is not None and bool(known.lower[0] == known.upper[0])
