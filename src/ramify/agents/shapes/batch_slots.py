"""The slots of a batch in memory: a position each, and what each simulation is doing."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ramify.contract.game import Game
from ramify.core.kernels.pointers import address

BATCH_SHARE = 0.02  # of all simulations that a batch may have: more cost strength (docs/gdl.md)
MAX_BATCH = 512
ONE_WORD_BATCH = 64  # slots up to which a batch has one word


def slots_for(simulations: float) -> int:
    """The number of slots for a search of so many simulations."""
    return max(1, int(min(BATCH_SHARE * simulations, MAX_BATCH)))


class BatchSlots:
    """Positions of a game, a slot each; ``traced``: simulations write down the moves of their playouts."""

    def __init__(self, game: Game, *, traced: bool) -> None:
        from ramify.core.shapes.batch_slot import BATCH  # noqa: PLC0415

        self._game, self._traced = game, traced
        self.record = np.zeros(1, BATCH)
        self._make_room(ONE_WORD_BATCH)

    def begin(self, count: int, position: int, rng: int) -> None:
        """Have so many slots at a position, drawing from a generator, both by address; all simulations have ended."""
        from ramify.core.shapes.batch_slot import IDLE  # noqa: PLC0415

        room = ONE_WORD_BATCH if count <= ONE_WORD_BATCH else MAX_BATCH
        if room != self._room:
            self._make_room(room)
        self.record["slots"], self.record["slot"] = count, 0
        self._arrays["nodes"][:] = IDLE
        self._lanes.begin(self._game.from_address(position), count, rng)

    def _make_room(self, room: int) -> None:
        """Make room for so many slots."""
        from ramify.core.shapes.batch_slot import IDLE, PATH_BYTES, TRACE_BYTES  # noqa: PLC0415

        lanes = self._lanes = self._game.batch(room)
        self._room = room
        self.step_seconds = 0.0  # how long a step takes; 0: unknown
        for name in ("step", "over", "mover", "legal", "scores", "restart"):
            self.record[name] = lanes.kernels[name].address
        self.record["block"], self.record["chosen"] = lanes.block, lanes.chosen
        rows = {"nodes": 1, "depths": 1, "plies": 1, "trace_lengths": 1, "last": 2, "paths": PATH_BYTES // 8}
        rows["traces"] = TRACE_BYTES // 8 if self._traced else 0
        self._arrays: dict[str, npt.NDArray[np.int64]] = {
            name: np.empty((room, numbers), np.int64) for name, numbers in rows.items()
        }
        self._arrays["nodes"][:] = IDLE
        for name, array in self._arrays.items():
            self.record[name] = address(array)

    @property
    def address(self) -> int:
        """Where the BATCH record is."""
        return address(self.record)

    @property
    def steps(self) -> int:
        """How many steps were made."""
        return int(self.record["steps"][0])
