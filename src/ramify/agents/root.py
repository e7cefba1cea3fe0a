"""The root of a tree between two rounds of a search, as an allocation sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ramify.core.engine.tree import ROOT
from ramify.errors import RamifyError
from ramify.strategies.kinds import Halved, Spent

if TYPE_CHECKING:
    from ramify.agents.worker import Worker

Floats = npt.NDArray[np.float64]


class LiveRoot:
    """The children of the root that are live; see ``strategies.kinds.Root``."""

    def __init__(self, worker: Worker, clock: Callable[[], float]) -> None:
        self.worker = worker
        self.tree = worker.tree
        self.clock = clock
        self.began = clock()

    def _live(self) -> slice:
        first, live = (int(self.tree.nodes[name][ROOT]) for name in ("first", "live"))
        return slice(first, first + live) if first >= 0 else slice(0, 0)

    @property
    def visits(self) -> Floats:
        """How often each was tried."""
        return self.tree.nodes["visits"][self._live()].astype(np.float64)

    @property
    def values(self) -> Floats:
        """The mean reward of each; minus infinity where it was never tried."""
        visits = self.visits
        return np.where(visits > 0, self.tree.nodes["total"][self._live()] / np.maximum(visits, 1.0), -np.inf)

    @property
    def spent(self) -> Spent:
        """What this search has spent so far."""
        simulations, calls = (int(self.worker.counters[name][0]) for name in ("simulations", "calls"))
        return Spent(simulations, self.clock() - self.began, calls)

    @property
    def halved(self) -> Halved:
        """How far the last run came, if the allocation halves in every node."""
        frames = self.worker.frames
        return Halved(0, 0, 0) if frames is None else frames.halved()

    def expand(self) -> None:
        """Give the root its children, which it otherwise gets with the first simulation."""
        if self.tree.children().stop == 0:
            self.worker.expand()

    def say(self, note: str) -> None:
        """What the report tells about how the budget was spent; the last note counts."""
        self.worker.note = note

    def keep(self, order: npt.NDArray[np.int64]) -> None:
        """Go on with these children only, given by their place, the first one first; the others are hidden."""
        children, chosen = self.tree.children(), np.asarray(order, np.int64)
        known = np.isin(chosen, range(len(self.visits))).all()
        if len(chosen) == 0 or len(np.unique(chosen)) < len(chosen) or not known:
            raise RamifyError(f"an allocation keeps at least one live child, each once, by its place, not {chosen}")
        rest = np.setdiff1d(np.arange(children.stop - children.start), chosen)
        self.tree.arrange(np.concatenate([chosen, rest]), len(chosen))

    def restore(self) -> None:
        """Make every child live again."""
        children, live = self.tree.children(), self._live()
        if live.stop < children.stop:
            count = children.stop - children.start
            self.tree.arrange(np.arange(count), count)
