"""The root of a tree between two rounds of a search, as an allocation sees it."""

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
    """The children of the root that are live; ``strategies.base.Root`` says what allocations may ask of it."""

    note = ""  # what the allocation says about the run

    def __init__(
        self,
        tree: Tree,
        counters: npt.NDArray[Any],  # one record of ``core.search.plan.COUNTERS``
        rng: npt.NDArray[np.uint64],
        growing: AbstractContextManager[Any],  # held while nodes move in memory
        expand_root: Callable[[], None],
        halved: Callable[[], HalvingProgress],  # how far the halving of the root has come
        clock: Callable[[], float],
    ) -> None:
        self.tree, self.rng, self.clock = tree, rng, clock
        self._counters, self._growing, self._expand_root, self._halved = counters, growing, expand_root, halved
        self.began = self._counted()

    def _counted(self) -> Spent:
        simulations, calls = (int(self._counters[name][0]) for name in ("simulations", "calls"))
        return Spent(simulations, self.clock(), calls)

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
    def priors(self) -> Floats:
        """The prior of each, if the allocation ``uses_priors``: they are the game's, or even."""
        return self.tree.nodes["chance"][self._live()].astype(np.float64)

    @property
    def spent(self) -> Spent:
        """What this run has spent so far."""
        now, began = self._counted(), self.began
        return Spent(now.simulations - began.simulations, now.seconds - began.seconds, now.calls - began.calls)

    def uniform(self) -> float:
        """A number from 0 to 1, below 1, by the search's own generator."""
        with np.errstate(over="ignore"):  # words wrap, as in compiled code
            return float(uniform(self.rng))

    @property
    def halving_progress(self) -> HalvingProgress:
        """How far the last run came, if the allocation halves in every node."""
        return self._halved()

    def expand(self) -> None:
        """Give the root its children, which it otherwise gets with the first simulation."""
        if self.tree.children().stop == 0:
            self._expand_root()

    def add_note(self, note: str) -> None:
        """What the report tells about how the budget was spent; the last note counts."""
        self.note = note

    def keep(self, order: npt.NDArray[np.int64]) -> None:
        """Go on with these children only, given by their place, the first one first; the others are hidden."""
        chosen, live, children = np.asarray(order, np.int64), self._live(), self.tree.children()
        others = np.ones(children.stop - children.start, np.bool_)
        if len(chosen) and chosen.min() >= 0 and chosen.max() < live.stop - live.start:
            others[chosen] = False
        if np.count_nonzero(others) != len(others) - max(1, len(chosen)):
            raise RamifyError(f"an allocation keeps at least one live child, each once, by its place, not {chosen}")
        with self._growing:
            self.tree.reorder_children(np.concatenate([chosen, np.flatnonzero(others)]), len(chosen))

    def restore(self) -> None:
        """Make every child live again."""
        children, live = self.tree.children(), self._live()
        if live.stop < children.stop:
            count = children.stop - children.start
            self.tree.reorder_children(np.arange(count), count)
