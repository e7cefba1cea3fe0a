"""A backup whose columns stay zero, for dry runs of policies that read columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ramify.contract.game import Game
from ramify.strategies.base import Backup, FittedBackup


@dataclass(frozen=True)
class ZeroColumns(Backup):
    """A backup with the given columns and no kernels."""

    columns: tuple[str, ...] = ()
    replaces_means = False

    def fit(self, game: Game) -> FittedBackup | None:
        """Return a block that holds only the addresses of the columns."""
        del game
        return FittedBackup(np.zeros(1, [(name, np.int64) for name in self.columns])) if self.columns else None
