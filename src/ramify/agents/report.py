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

    def __init__(self, parent: State, move: Move | None, places: Sequence[tuple[Worker, int]]) -> None:
        self._parent = parent  # the state the move was made in; at the root, the root's own
        self.move = move  # that led here, None at the root
        self.places = places

    @cached_property
    def state(self) -> State:
        """The position."""
        return self._parent if self.move is None else self._parent.play(self.move)

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
        found = children_of(self.places)
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
        """The most visited line from here; where chance moves, its likeliest outcome."""
        line: list[Move] = []
        state, places = self.state, self.places
        while True:
            found = children_of(places)
            visits = {code: sum(int(w.nodes["visits"][node]) for w, node in at) for code, at in found.items()}
            if not any(visits.values()):
                return line
            if state.to_move == CHANCE:
                likely = state.game.chances(state.data)
                code = max((p, -code) for code, p in likely if visits.get(code))[1] * -1
            else:
                code = max(visits, key=visits.__getitem__)
            move = Move(code, state.game.move_names(state.data, [code])[0])
            line.append(move)
            state, places = state.play(move), found[code]


def children_of(places: Sequence[tuple[Worker, int]]) -> dict[int, list[tuple[Worker, int]]]:
    """The children of a node by move code: of each, its places in the trees."""
    found: dict[int, list[tuple[Worker, int]]] = {}
    for worker, node in places:
        where = worker.children(node)
        for child, code in enumerate(worker.nodes["move"][where].tolist(), where.start):
            found.setdefault(code, []).append((worker, child))
    return found


def root_of(state: State, workers: Sequence[Worker]) -> TreeNode:
    """The root of a search's trees."""
    return TreeNode(state, None, [(worker, ROOT) for worker in workers])
