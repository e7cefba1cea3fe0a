"""What a search found: the move, the root's children, the expected line."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ramify.agents.proven import Bounds
from ramify.agents.shown_tree import TreeNode, named
from ramify.contract.game import Move, State

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Found:
    """What a search knows at one moment, in numbers."""

    codes: Whole  # of the root's children, and of each:
    visits: Floats
    values: Floats  # minus infinity where nothing is known
    estimates: Floats
    bounds: Bounds | None  # None where the agent does not prove
    chosen: int  # the place of the recommended one
    line: list[int]  # codes of the variation
    simulations: int
    nodes: int
    shared: int
    seconds: float
    calls: int
    depth: int
    cut: int
    stopped: str
    note: str
    threads: int


@dataclass(frozen=True)
class Child:
    """A move at the root: how often it was tried, and its mean reward for the player to move.

    What is proven comes before means: ``bounds`` are the lowest and the highest score that the move can bring.
    """

    move: Move
    visits: int
    value: float  # NaN when never visited
    estimate: float  # what the search takes the move to be worth: the value, or with RAVE a mixture; NaN: unknown
    bounds: tuple[float, float] | None = None  # None where the agent does not prove

    @property
    def proven(self) -> float | None:
        """The score that is proven; None while none is."""
        return met(self.bounds)


class Report:
    """The outcome of a search, as it was when it was made.

    Names of moves and the position's text are made in Python by the game; they are worked out when they are asked for,
    since a short search takes less time than they do.
    """

    def __init__(self, found: Found, state: State, agent: str, seed: int, root: TreeNode) -> None:
        self._found = found
        self._state = state
        self._root = root
        self.value = known(found.values[found.chosen])  # mean reward of the move for the player to move; NaN: unknown
        self.bounds = highest(found.bounds)  # of the score of the player to move; None where the agent does not prove
        self.proven = met(self.bounds)  # that score, once it is proven
        self.simulations = found.simulations  # of this search, without what an earlier one left in the tree
        self.nodes = found.nodes
        self.shared = found.shared  # edges to positions that another edge leads to, too; 0 without transpositions
        self.seconds = found.seconds
        self.calls = found.calls  # forward-model calls
        self.depth = found.depth  # longest path in the tree
        self.cut = found.cut  # playouts that the ply limit ended
        self.stopped = (
            found.stopped
        )  # which budget ran out, "proven", "settled", "cancelled", or "enough": an observer says so
        self.note = found.note  # what the allocation says about how the budget was spent, if anything
        self.game = state.game.name
        self.agent = agent
        self.seed = seed
        self.threads = found.threads

    def __repr__(self) -> str:
        return f"<Report {self.move} {self.value:.3f} after {self.simulations} simulations of {self.game}>"

    def _move(self, code: int) -> Move:
        return Move(code, self._state.game.move_name(self._state.data, code))

    @cached_property
    def move(self) -> Move:
        """The move that the search recommends."""
        return self._move(int(self._found.codes[self._found.chosen]))

    @cached_property
    def children(self) -> list[Child]:
        """The moves at the root, most visited first."""
        found = self._found
        order = np.argsort(-found.visits, kind="stable")
        return [
            Child(
                self._move(int(found.codes[k])),
                int(found.visits[k]),
                known(found.values[k]),
                known(found.estimates[k]),
                None if found.bounds is None else (float(found.bounds.lower[k]), float(found.bounds.upper[k])),
            )
            for k in order
        ]

    @cached_property
    def variation(self) -> list[Move]:
        """Best replies as far as the tree goes; chance outcomes by their likelihood."""
        return named(self._state, self._found.line)

    @cached_property
    def position(self) -> str:
        """The position that was searched, as text."""
        return self._state.text()

    def tree(self) -> TreeNode:
        """The root of the tree. It shows the search as it is now: a search that goes on changes it."""
        return self._root

    def rows(self) -> dict[str, Any]:
        """The report as plain data, for JSON."""
        return {
            "game": self.game,
            "position": self.position,
            "agent": self.agent,
            "seed": self.seed,
            "threads": self.threads,
            "move": str(self.move),
            "value": number(self.value),
            "bounds": self.bounds,
            "proven": self.proven,
            "simulations": self.simulations,
            "nodes": self.nodes,
            "shared": self.shared,
            "seconds": self.seconds,
            "simulations_per_second": self.simulations / self.seconds if self.seconds else None,
            "calls": self.calls,
            "depth": self.depth,
            "cut": self.cut,
            "stopped": self.stopped,
            "note": self.note,
            "variation": [str(move) for move in self.variation],
            "children": [
                {
                    "move": str(c.move),
                    "visits": c.visits,
                    "value": number(c.value),
                    "estimate": number(c.estimate),
                    "bounds": c.bounds,
                    "proven": c.proven,
                }
                for c in self.children
            ],
        }


def known(value: float) -> float:
    """A mean; NaN where there is none."""
    return float(value) if value > -np.inf else float("nan")


def highest(bounds: Bounds | None) -> tuple[float, float] | None:
    """What the player to move can have, by the bounds of the moves."""
    return None if bounds is None else (float(bounds.lower.max()), float(bounds.upper.max()))


def met(bounds: tuple[float, float] | None) -> float | None:
    """The score between two bounds that have met."""
    return bounds[0] if bounds is not None and bounds[0] == bounds[1] else None


def number(value: float) -> float | None:
    """A number for JSON, which has no NaN."""
    return None if np.isnan(value) else value
