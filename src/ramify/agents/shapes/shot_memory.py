"""The memory of ``core.shapes.shot_rounds`` for one search tree: frames, their positions, and buffers for sorting."""

from __future__ import annotations

import numpy as np

from ramify.core.kernels.pointers import address
from ramify.core.search.episode import MAX_DEPTH
from ramify.core.search.tree import NODE, ROOT
from ramify.core.shapes.shot_rounds import FRAME, TASK, Stack
from ramify.strategies.kinds import Halved, Halving

FIRST_ROOM = 32
MOST_ROOM = MAX_DEPTH + 2  # the loop wants a frame to spare


class Frames:
    """A stack that grows on demand; positions, once they have a place, stay there (some games know them by it)."""

    def __init__(self, root: int, state_bytes: int, width: int, halving: Halving) -> None:
        self.state_bytes = state_bytes
        self.task = np.zeros(1, TASK)
        self.task["depth"], self.task["limit"], self.task["carries"] = -1, halving.limit, halving.carries
        self.frames = np.zeros(FIRST_ROOM, FRAME)
        self._states = [np.zeros((FIRST_ROOM - 1, state_bytes), np.uint8)]
        self._places = np.array([root, *(address(state) for state in self._states[0])], np.int64)
        self._means = np.empty(width)
        self._order = np.empty(width, np.int64)
        self._spare = np.empty(width, NODE)

    def begin(self, budget: int) -> None:
        """Give the root a budget."""
        self.frames[0] = 0
        self.frames["node"][0], self.frames["budget"][0] = ROOT, budget
        self.task["depth"] = 0

    @property
    def work(self) -> int:
        """What was done so far."""
        return int(self.task["work"][0])

    @property
    def finished(self) -> bool:
        """Whether the budget is spent, as far as it can be."""
        return int(self.task["depth"][0]) < 0

    @property
    def full(self) -> bool:
        """Whether it needs more room."""
        return int(self.task["depth"][0]) + 1 == len(self.frames)

    def grow(self) -> None:
        """Twice as much, as far as a path can be long."""
        more = min(len(self.frames), MOST_ROOM - len(self.frames))
        self.frames = np.concatenate([self.frames, np.zeros(more, FRAME)])
        self._states.append(np.zeros((more, self.state_bytes), np.uint8))
        places = [address(state) for state in self._states[-1]]
        self._places = np.concatenate([self._places, np.array(places, np.int64)])

    def addresses(self) -> Stack:
        """As the loop takes them."""
        return Stack(
            task=address(self.task),
            frames=address(self.frames),
            room=len(self.frames),
            states=address(self._places),
            means=address(self._means),
            order=address(self._order),
            spare=address(self._spare),
        )

    def halved(self) -> Halved:
        """How far the root has come."""
        return Halved(*(int(self.frames[name][0]) for name in ("round", "rounds", "left")))
