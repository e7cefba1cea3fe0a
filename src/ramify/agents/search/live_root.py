"""The root of a tree as an allocation sees it between two rounds."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import numpy.typing as npt

from ramify.agents.shapes.tree_arrays import Tree
from ramify.core.numbers.rng import uniform
from ramify.core.search.tree import ROOT
from ramify.errors import RamifyError
from ramify.old_names import old_members
from ramify.strategies.base import HalvingProgress, Spent

Floats = npt.NDArray[np.float64]


@old_members(draw="uniform", halved="halving_progress", say="add_note")
class LiveRoot:
    """The live children of the root. Implements ``strategies.base.Root``."""

    note = ""  # the allocation's note for the report

    def __init__(
        self,
        tree: Tree,
        counters: npt.NDArray[Any],  # one record of ``core.search.plan.COUNTERS``
        rng: npt.NDArray[np.uint64],
        relocation_lock: AbstractContextManager[Any],  # held while nodes move in memory
        expand_root: Callable[[], None],
        halving_progress: Callable[[], HalvingProgress],
        clock: Callable[[], float],
        discover_next: Callable[[str], None] | None = None,
    ) -> None:
        self.tree, self.rng, self.clock = tree, rng, clock
        self._counters, self._relocation_lock = counters, relocation_lock
        self._expand_root, self._halving_progress = expand_root, halving_progress
        self._discover_next = discover_next
        self.began = self._totals()

    def _totals(self) -> Spent:
        simulations, calls = (int(self._counters[name][0]) for name in ("simulations", "calls"))
        return Spent(simulations, self.clock(), calls)

    def _live(self) -> slice:
        first, live = (int(self.tree.nodes[name][ROOT]) for name in ("first", "live"))
        return slice(first, first + live) if first >= 0 else slice(0, 0)

    @property
    def visits(self) -> Floats:
        """Visits per live child."""
        return self.tree.nodes["visits"][self._live()].astype(np.float64)

    @property
    def values(self) -> Floats:
        """Mean reward per live child; minus infinity if unvisited."""
        visits = self.visits
        return np.where(visits > 0, self.tree.nodes["total"][self._live()] / np.maximum(visits, 1.0), -np.inf)

    @property
    def priors(self) -> Floats:
        """Prior per live child (the game's, or uniform), if the allocation ``uses_priors``."""
        return self.tree.nodes["chance"][self._live()].astype(np.float64)

    @property
    def spent(self) -> Spent:
        """Budget spent by this run so far."""
        now, began = self._totals(), self.began
        return Spent(now.simulations - began.simulations, now.seconds - began.seconds, now.calls - began.calls)

    def uniform(self) -> float:
        """Return a random number in [0, 1) from the search's generator."""
        with np.errstate(over="ignore"):  # words wrap, as in compiled code
            return float(uniform(self.rng))

    def discover_next(self, order: str) -> None:
        """Let the next run discover nodes in this order (SHOT's warm-up)."""
        if self._discover_next is not None:
            self._discover_next(order)

    @property
    def halving_progress(self) -> HalvingProgress:
        """Progress of the halving at the root (SHOT)."""
        return self._halving_progress()

    def expand(self) -> None:
        """Expand the root, which otherwise happens in the first simulation."""
        if self.tree.children().stop == 0:
            self._expand_root()

    def add_note(self, note: str) -> None:
        """Set the note that the report shows. The last one counts."""
        self.note = note

    def keep(self, order: npt.NDArray[np.int64]) -> None:
        """Keep these live children, given by index, in this order. The others are hidden."""
        chosen, live, children = np.asarray(order, np.int64), self._live(), self.tree.children()
        others = np.ones(children.stop - children.start, np.bool_)
        if len(chosen) and chosen.min() >= 0 and chosen.max() < live.stop - live.start:
            others[chosen] = False
        if np.count_nonzero(others) != len(others) - max(1, len(chosen)):
            raise RamifyError(f"keep() takes distinct indices of live children, at least one, not {chosen}")
        with self._relocation_lock:
            self.tree.reorder_children(np.concatenate([chosen, np.flatnonzero(others)]), len(chosen))

    def restore(self) -> None:
        """Make every child live again."""
        children, live = self.tree.children(), self._live()
        if live.stop < children.stop:
            count = children.stop - children.start
            self.tree.reorder_children(np.arange(count), count)
