"""The memory of ``core.engine.flight`` for one search tree, and how many simulations are in flight."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ramify.agents.pace import TIMED_SECONDS
from ramify.agents.tree import Tree
from ramify.contract.game import Game, Lanes, State
from ramify.core.engine.flight import DEEPEST, FLIGHT, IDLE
from ramify.core.engine.plan import Memory
from ramify.core.kernels.pointers import address

SHARE = 0.03  # of all simulations that may be in flight at once: more cost strength (docs/gdl.md)
FEWEST = 4  # lanes; with fewer the sequential loop is as quick
MOST = 512
FIRST = 8  # lanes where nobody knows yet how many simulations there will be
MORE = 1.5  # times as many lanes are worth a new beginning
NARROW = 64  # lanes up to which a batch has one word
COLUMNS = 2  # beside the tree


def lanes_for(simulations: float) -> int:
    """The number of lanes for a search of so many simulations."""
    return max(1, int(min(SHARE * simulations, MOST)))


class Flight:
    """Lanes of a game, and what each is doing."""

    def __init__(self, game: Game, lanes: Lanes) -> None:
        self.game = game
        self.record = np.zeros(1, FLIGHT)
        self.count = 1  # of lanes
        self.flies = False  # whether lanes are at work, and not the sequential loop
        self.patience = TIMED_SECONDS  # until somebody looks at the clock
        self._seat(lanes, NARROW)

    @classmethod
    def of(cls, game: Game) -> Flight | None:
        """Room for a few lanes; None where the game has none."""
        lanes = game.lanes(NARROW)
        return cls(game, lanes) if lanes else None

    def begin(self, count: int, state: State, tree: Tree, used: int, rng: npt.NDArray[np.uint64]) -> None:
        """Have so many lanes at the position; nothing may be in flight."""
        self.count, self.patience = count, TIMED_SECONDS
        self.flies = count >= FEWEST
        if not self.flies:
            return
        room = NARROW if count <= NARROW else MOST
        if room != self._room:
            self._seat(self.game.lanes(room) or self._lanes, room)
        self.record["lanes"], self.record["lane"] = count, 0
        self._arrays["nodes"][:] = IDLE
        self._lanes.begin(state.data, count, rng)
        known, pending = tree.columns[-COLUMNS:]
        known[:used] = tree.nodes["total"][:used]
        pending[:used] = 0.0

    def _seat(self, lanes: Lanes, room: int) -> None:
        """Work with these lanes, of which there is room for so many."""
        self._lanes, self._room, self._step_seconds = lanes, room, 0.0
        for name in ("step", "over", "mover", "legal", "scores", "restart"):
            self.record[name] = lanes.kernels[name].address
        self.record["block"], self.record["chosen"] = lanes.block, lanes.chosen
        self._arrays: dict[str, npt.NDArray[np.int64]] = {
            name: np.zeros(room, np.int64) for name in ("nodes", "depths", "plies")
        }
        self._arrays["paths"] = np.empty((room, DEEPEST + 2), np.int64)
        for name, array in self._arrays.items():
            self.record[name] = address(array)

    def place(self, memory: Memory, columns: int) -> None:
        """Say where the columns beside the tree are."""
        self.record["known"], self.record["pending"] = columns, columns + 8 * memory.stride

    @property
    def where(self) -> int:
        """Its address, for the loop."""
        return address(self.record)

    @property
    def steps(self) -> int:
        """How many steps were made."""
        return int(self.record["steps"][0])

    def next_look(self) -> int:
        """The number of steps at which the loop is to end, so that somebody can look at the clock."""
        steps = int(self.patience / self._step_seconds) if self._step_seconds else 1
        return self.steps + max(1, steps)

    def measure(self, steps: int, seconds: float) -> None:
        """Take note of how long some steps took."""
        if steps:
            self._step_seconds = seconds / steps
