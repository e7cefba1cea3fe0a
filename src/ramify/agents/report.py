"""What a search found: the move, the root's children, the expected line, and the tree to walk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ramify.agents.worker import Worker
from ramify.core.tree import CHANCE, ROOT
from ramify.games.game import Move, State


@dataclass(frozen=True)
class Child:
    """A move at the root: how often it was tried, and its mean reward for the player to move."""

    move: Move
    visits: int
    value: float  # NaN when never visited


@dataclass(frozen=True)
class Report:
    """The outcome of a search."""

    move: Move
    value: float  # mean reward of that move for the player to move, in [0, 1]
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
            "value": self.value,
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
                {"move": str(c.move), "visits": c.visits, "value": None if np.isnan(c.value) else c.value}
                for c in self.children
            ],
        }


class TreeNode:
    """A node of the tree; of a root-parallel search, the same node of every tree that has it."""

    def __init__(self, above: State, move: Move | None, places: Sequence[tuple[Worker, int]]) -> None:
        self._above = above  # the parent's position; at the root, its own
        self.move = move  # that led here, None at the root
        self.places = places

    @cached_property
    def state(self) -> State:
        """The position; worked out when first asked for, since most nodes are only counted."""
        return self._above if self.move is None else self._above.play(self.move)

    @property
    def visits(self) -> int:
        """Simulations that passed through."""
        return sum(int(worker.nodes["visits"][node]) for worker, node in self.places)

    @property
    def value(self) -> float:
        """Mean reward for the player who moved here (below chance: for the first player); NaN at the root."""
        visits = self.visits
        if self.move is None or visits == 0:
            return float("nan")
        return sum(float(worker.nodes["total"][node]) for worker, node in self.places) / visits

    def children(self) -> list[TreeNode]:
        """The children, most visited first; none where the tree ends."""
        found: dict[int, list[tuple[Worker, int]]] = {}
        for worker, node in self.places:
            where = worker.children(node)
            for child in range(where.start, where.stop):
                found.setdefault(int(worker.nodes["move"][child]), []).append((worker, child))
        if not found:
            return []
        moves = {move.code: move for move in self.state.moves()}
        nodes = [TreeNode(self.state, moves[code], places) for code, places in found.items()]
        return sorted(nodes, key=lambda node: -node.visits)

    def walk(self) -> Iterator[TreeNode]:
        """This node and every visited node below it, parents first."""
        yield self
        for child in self.children():
            if child.visits:
                yield from child.walk()

    def variation(self) -> list[Move]:
        """The most visited line from here."""
        line: list[Move] = []
        node = self
        while True:
            children = node.children()
            if not children or children[0].visits == 0:
                return line
            if node.state.to_move == CHANCE:
                likely = dict(node.state.chances())
                children.sort(key=lambda child: -likely[child.move])  # type: ignore[index]
            node = children[0]
            line.append(node.move)  # type: ignore[arg-type]


def root_of(state: State, workers: Sequence[Worker]) -> TreeNode:
    """The root of a search's trees."""
    return TreeNode(state, None, [(worker, ROOT) for worker in workers])
