"""A backup whose columns stay zero, for dry runs of policies that read columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ramify.contract.game import Game
from ramify.strategies.base import Backup, BoundBackup


@dataclass(frozen=True)
class ZeroColumns(Backup):
    """A backup with the given columns and no kernels."""

    columns: tuple[str, ...] = ()
    replaces_means = False

    def bind(self, game: Game) -> BoundBackup | None:
        """Return a block that holds only the addresses of the columns."""
        del game
        return BoundBackup(np.zeros(1, [(name, np.int64) for name in self.columns])) if self.columns else None
