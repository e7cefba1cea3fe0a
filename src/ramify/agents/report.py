"""What a search found: the move, the root's children, the expected line, and the tree to walk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import numpy as np

from ramify.agents.worker import Worker
from ramify.contract.game import Move, State
from ramify.core.engine.tree import ROOT
from ramify.errors import RamifyError


@dataclass(frozen=True)
class Child:
    """A move at the root: how often it was tried, and its mean reward for the player to move."""

    move: Move
    visits: int
    value: float  # NaN when never visited
    estimate: float  # what the search takes the move to be worth: the value, or with RAVE a mixture; NaN: unknown


@dataclass(frozen=True)
class Report:
    """The outcome of a search."""

    move: Move
    value: float  # mean reward of that move for the player to move, in [0, 1]; NaN: known by RAVE alone
    children: list[Child]  # most visited first
    simulations: int  # of this search, without what an earlier one left in the tree
    nodes: int
    seconds: float
    calls: int  # forward-model calls
    depth: int  # longest path in the tree
    cut: int  # playouts that the ply limit ended
    stopped: str  # which budget ran out, or "cancelled"
    variation: list[Move]  # best replies as far as the tree goes; chance outcomes by their likelihood
    game: str
    position: str
    agent: str
    seed: int
    threads: int
    _root: TreeNode = field(repr=False)

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
            "simulations": self.simulations,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "simulations_per_second": self.simulations / self.seconds if self.seconds else None,
            "calls": self.calls,
            "depth": self.depth,
            "cut": self.cut,
            "stopped": self.stopped,
            "variation": [str(move) for move in self.variation],
            "children": [
                {"move": str(c.move), "visits": c.visits, "value": number(c.value), "estimate": number(c.estimate)}
                for c in self.children
            ],
        }


def number(value: float) -> float | None:
    """A number for JSON, which has no NaN."""
    return None if np.isnan(value) else value


class TreeNode:
    """A node of the tree; of a root-parallel search, the same node of every tree that has it.

    Its move and its position are worked out when they are asked for: a tree has many nodes, and few are looked at.
    """

    def __init__(self, origin: State | TreeNode, places: Sequence[tuple[Worker, int]]) -> None:
        self._origin = origin  # the position at the root, the parent anywhere else
        self._state = origin if isinstance(origin, State) else None
        self._places = places
        self._epochs = [worker.epoch for worker, _ in places]

    @property
    def state(self) -> State:
        """The position here."""
        unknown: list[TreeNode] = []
        node = self
        while node._state is None and isinstance(node._origin, TreeNode):  # a loop: a tree may outgrow Python's stack
            unknown.append(node)
            node = node._origin
        state = cast(State, node._state)
        for node in reversed(unknown):
            move = node._move_after(state)
            state = State(state.game, state.game.play(state.data, move.code), (*state.history, move.name))
            node._state = state
        return state

    @cached_property
    def move(self) -> Move | None:
        """The move that led here, None at the root."""
        return self._move_after(self._origin.state) if isinstance(self._origin, TreeNode) else None

    def _move_after(self, before: State) -> Move:
        worker, node = self._where()[0]
        code = int(worker.tree.nodes["move"][node])
        return Move(code, before.game.move_name(before.data, code))

    @property
    def visits(self) -> int:
        """Simulations that passed through."""
        return sum(int(worker.tree.nodes["visits"][node]) for worker, node in self._where())

    @property
    def value(self) -> float:
        """Mean reward for the player who moved here (below chance: for the first player); NaN at the root."""
        visits = self.visits
        if isinstance(self._origin, State) or visits == 0:
            return float("nan")
        return sum(float(worker.tree.nodes["total"][node]) for worker, node in self._where()) / visits

    def children(self) -> list[TreeNode]:
        """The children, most visited first; none where the tree ends."""
        found: dict[int, list[tuple[Worker, int]]] = {}
        visits: dict[int, int] = {}
        for worker, node in self._where():
            where = worker.tree.children(node)
            codes, counts = (worker.tree.nodes[name][where].tolist() for name in ("move", "visits"))
            for child, code, count in zip(range(where.start, where.stop), codes, counts, strict=True):
                found.setdefault(code, []).append((worker, child))
                visits[code] = visits.get(code, 0) + count
        return [TreeNode(self, found[code]) for code in sorted(found, key=lambda code: -visits[code])]

    def walk(self) -> Iterator[TreeNode]:
        """This node and every visited node below it, parents first."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(child for child in reversed(node.children()) if child.visits)

    def variation(self) -> list[Move]:
        """The most visited line from here; where chance moves, its likeliest outcome that was visited."""
        line: list[Move] = []
        node = self
        while True:
            children = [child for child in node.children() if child.visits]
            if not children:
                return line
            before = node.state
            node = max(children, key=TreeNode._probability)  # the first, where chance does not move
            line.append(node._move_after(before))

    def _probability(self) -> float:
        worker, node = self._where()[0]
        return float(worker.tree.nodes["chance"][node])

    def _where(self) -> Sequence[tuple[Worker, int]]:
        if self._epochs != [worker.epoch for worker, _ in self._places]:
            raise RamifyError("the search has moved on to another position, so this tree is gone")
        return self._places


def root_of(state: State, workers: Sequence[Worker]) -> TreeNode:
    """The root of a search's trees."""
    return TreeNode(state, [(worker, ROOT) for worker in workers])
