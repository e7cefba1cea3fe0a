"""A backup whose columns stay zero, so that a policy that reads some can be tried alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ramify.contract.game import Game
from ramify.strategies.base import Backup, BoundBackup


@dataclass(frozen=True)
class ZeroColumns(Backup):
    """Columns by name."""

    columns: tuple[str, ...] = ()
    replaces_means = False

    def bind(self, game: Game) -> BoundBackup | None:
        """Room for their addresses alone."""
        del game
        return BoundBackup(np.zeros(1, [(name, np.int64) for name in self.columns])) if self.columns else None
