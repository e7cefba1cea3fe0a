"""A backup whose columns stay zero, so that a policy that reads some can be tried alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ramify.contract.game import Game
from ramify.strategies.base import Backup, FittedBackup


@dataclass(frozen=True)
class ZeroColumns(Backup):
    """Columns by name."""

    columns: tuple[str, ...] = ()
    replaces_means = False

    def fit(self, game: Game) -> FittedBackup | None:
        """Room for their addresses alone."""
        del game
        return FittedBackup(np.zeros(1, [(name, np.int64) for name in self.columns])) if self.columns else None
