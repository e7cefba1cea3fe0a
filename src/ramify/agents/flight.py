"""The memory of ``core.engine.flight`` for one search tree, and how many simulations are in flight."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ramify.contract.interfaces.game_kernels import GameKernels, Lanes
from ramify.core.engine.lane import FLIGHT, IDLE, PATH_BYTES, TRACE_BYTES
from ramify.core.kernels.pointers import address

SHARE = 0.02  # of all simulations that may be in flight at once: more cost strength (docs/gdl.md)
FEWEST = 24  # lanes; with fewer the sequential loop is as quick in most games
MOST = 512
NARROW = 64  # lanes up to which a batch has one word


def lanes_for(simulations: float) -> int:
    """The number of lanes for a search of so many simulations."""
    return max(1, int(min(SHARE * simulations, MOST)))


class Flight:
    """Lanes of a game, and what each is doing."""

    def __init__(self, game: GameKernels, lanes: Lanes, *, traced: bool) -> None:
        self._game, self._traced = game, traced
        self.record = np.zeros(1, FLIGHT)
        self._seat(lanes, NARROW)

    @classmethod
    def of(cls, game: GameKernels, *, traced: bool) -> Flight | None:
        """Room for a few lanes; None where the game has none. ``traced``: they write down their moves."""
        lanes = game.lanes(NARROW)
        return cls(game, lanes, traced=traced) if lanes else None

    def begin(self, count: int, position: int, rng: int) -> None:
        """Have so many lanes at a position, drawing from a generator, both by address; nothing may be in flight."""
        room = NARROW if count <= NARROW else MOST
        if room != self._room:
            self._seat(self._game.lanes(room) or self._lanes, room)
        self.record["lanes"], self.record["lane"] = count, 0
        self._arrays["nodes"][:] = IDLE
        self._lanes.begin(self._game.take(position), count, rng)

    def _seat(self, lanes: Lanes, room: int) -> None:
        """Work with these lanes, of which there is room for so many."""
        self._lanes, self._room = lanes, room
        self.step_seconds = 0.0  # how long a step takes; 0: unknown
        for name in ("step", "over", "mover", "legal", "scores", "restart"):
            self.record[name] = lanes.kernels[name].address
        self.record["block"], self.record["chosen"] = lanes.block, lanes.chosen
        rows = {"nodes": 1, "depths": 1, "plies": 1, "made": 1, "last": 2, "paths": PATH_BYTES // 8}
        rows["traces"] = TRACE_BYTES // 8 if self._traced else 0
        self._arrays: dict[str, npt.NDArray[np.int64]] = {
            name: np.empty((room, numbers), np.int64) for name, numbers in rows.items()
        }
        self._arrays["nodes"][:] = IDLE
        for name, array in self._arrays.items():
            self.record[name] = address(array)

    @property
    def where(self) -> int:
        """Its address, for the loop."""
        return address(self.record)

    @property
    def steps(self) -> int:
        """How many steps were made."""
        return int(self.record["steps"][0])
