"""Memory of a batch: one position per slot, and the state of its simulation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ramify.contract.game import Game
from ramify.core.kernels.pointers import address

BATCH_SHARE = 0.02  # maximum slots as a share of all simulations: more cost playing strength (docs/gdl.md)
MAX_BATCH = 512
ONE_WORD_BATCH = 64  # slots per machine word; up to this many, a step costs the same


def slots_for(simulations: float) -> int:
    """Return the number of slots for a search of ``simulations``."""
    return max(1, int(min(BATCH_SHARE * simulations, MAX_BATCH)))


class BatchSlots:
    """Positions of a game, one per slot. ``traced``: playouts record their moves."""

    def __init__(self, game: Game, *, traced: bool) -> None:
        from ramify.core.shapes.batch_slot import BATCH  # noqa: PLC0415

        self._game, self._traced = game, traced
        self.record = np.zeros(1, BATCH)
        self._allocate(ONE_WORD_BATCH)

    def begin(self, count: int, position: int, rng: int) -> None:
        """Start ``count`` idle slots at a position. ``position`` and ``rng`` are addresses."""
        from ramify.core.shapes.batch_slot import IDLE  # noqa: PLC0415

        capacity = ONE_WORD_BATCH if count <= ONE_WORD_BATCH else MAX_BATCH
        if capacity != self._capacity:
            self._allocate(capacity)
        self.record["slots"], self.record["slot"] = count, 0
        self._arrays["nodes"][:] = IDLE
        self._lanes.begin(self._game.from_address(position), count, rng)

    def _allocate(self, capacity: int) -> None:
        from ramify.core.shapes.batch_slot import IDLE, PATH_BYTES, TRACE_BYTES  # noqa: PLC0415

        lanes = self._lanes = self._game.batch(capacity)
        self._capacity = capacity
        self.step_seconds = 0.0  # duration of a step; 0: unknown
        for name in ("step", "over", "mover", "legal", "scores", "restart"):
            self.record[name] = lanes.kernels[name].address
        self.record["block"], self.record["chosen"] = lanes.block, lanes.chosen
        widths = {"nodes": 1, "depths": 1, "plies": 1, "trace_lengths": 1, "last": 2, "paths": PATH_BYTES // 8}
        widths["traces"] = TRACE_BYTES // 8 if self._traced else 0
        self._arrays: dict[str, npt.NDArray[np.int64]] = {
            name: np.empty((capacity, width), np.int64) for name, width in widths.items()
        }
        self._arrays["nodes"][:] = IDLE
        for name, array in self._arrays.items():
            self.record[name] = address(array)

    @property
    def address(self) -> int:
        """Address of the BATCH record."""
        return address(self.record)

    @property
    def steps(self) -> int:
        """Number of steps so far."""
        return int(self.record["steps"][0])
