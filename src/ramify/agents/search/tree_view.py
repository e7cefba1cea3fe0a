"""Read-only view of a search tree: nodes with their statistics, and principal variations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import cast

import numpy as np

from ramify.agents.hooks.bounds import Bounds
from ramify.agents.search.worker import Worker
from ramify.contract.game import Code, JointMove, Move, State
from ramify.core.search.tree import CHANCE, ROOT
from ramify.errors import RamifyError


class TreeNode:
    """A node of the tree. In a root-parallel search, the same node in every tree that contains it.

    Move and state are computed on first access.
    """

    def __init__(self, origin: State | TreeNode, places: Sequence[tuple[Worker, int]], code: Code = 0) -> None:
        self._origin = origin  # the parent; at the root, the state
        self._code = code  # of the move or joint move from the parent
        self._state = origin if isinstance(origin, State) else None
        self._places = places
        self._epochs = [worker.epoch for worker, _ in places]

    @property
    def state(self) -> State:
        """State of this node."""
        unknown: list[TreeNode] = []
        node = self
        while node._state is None and isinstance(node._origin, TreeNode):  # trees can be too deep for recursion
            unknown.append(node)
            node = node._origin
        state = cast(State, node._state)
        for node in reversed(unknown):
            move = node._move_after(state)
            state = State(state.game, state.game.after(state.data, move.code), (*state.history, move.name))
            node._state = state
        return state

    @cached_property
    def move(self) -> Move | JointMove | None:
        """Move or joint move that leads to this node; None at the root."""
        return self._move_after(self._origin.state) if isinstance(self._origin, TreeNode) else None

    def _move_after(self, before: State) -> Move | JointMove:
        self._where()
        return before.move_of(self._code)

    @property
    def visits(self) -> int:
        """Number of simulations through this node."""
        return sum(int(worker.tree.nodes["visits"][node]) for worker, node in self._where())

    @property
    def value(self) -> float:
        """Mean reward for the player who moved here, clamped to the proven bounds; NaN at the root.

        After a chance outcome or a joint move, it is the first player's.
        """
        visits = self.visits
        if isinstance(self._origin, State) or visits == 0:
            return float("nan")
        mean = sum(float(worker.tree.nodes["total"][node]) for worker, node in self._where()) / visits
        bounds = self._bounds()
        return mean if bounds is None else float(bounds.clamp(np.array([mean]))[0])

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Proven bounds of the score of the player who moved here (after a chance outcome: the first player).

        At the root, of the player to move. None unless the agent proves scores.
        """
        known = self._bounds()
        return None if known is None else (float(known.lower[0]), float(known.upper[0]))

    def _bounds(self) -> Bounds | None:
        above = self if isinstance(self._origin, State) else self._origin
        worker, node = above._where()[0]
        player = max(int(worker.tree.nodes["mover"][node]), 0)
        return proven_at(self._where(), player)

    def children(self) -> list[TreeNode]:
        """Return the children, most visited first. With simultaneous moves, only the joint moves visited."""
        found: dict[Code, list[tuple[Worker, int]]] = {}
        visits: dict[Code, int] = {}
        if not self._where()[0][0].shape.can_show_children(self.state):
            return []
        for worker, node in self._where():
            for code, child, count in worker.tree.moves(node):
                found.setdefault(code, []).append((worker, child))
                visits[code] = visits.get(code, 0) + count
        return [TreeNode(self, found[code], code) for code in sorted(found, key=lambda code: -visits[code])]

    def walk(self) -> Iterator[TreeNode]:
        """Yield this node and all visited nodes below it, parents first. Shared nodes are yielded once."""
        shared = any(worker.shape.shares_nodes for worker, _ in self._where())
        seen: set[tuple[tuple[int, int], ...]] = set()
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if shared:
                places = tuple((id(worker), at) for worker, at in node._where())
                if places in seen:
                    continue
                seen.add(places)
            yield node
            waiting.extend(child for child in reversed(node.children()) if child.visits)

    @property
    def values(self) -> list[float]:
        """Mean reward per player after a joint move; otherwise only ``value``."""
        if not isinstance(self._code, tuple) or self.visits == 0:
            return [self.value]
        where = self._where()
        totals = [sum(float(one.tree.nodes["total"][node + k]) for one, node in where) for k in range(len(self._code))]
        return [total / self.visits for total in totals]

    def variation(self) -> list[Move | JointMove]:
        """Return the principal variation: most visited moves, and the most probable visited chance outcomes."""
        shape = self._where()[0][0].shape
        return moves_of_line(self.state, shape.visible_line(self.state, line_below(self._where())))

    def _where(self) -> Sequence[tuple[Worker, int]]:
        if self._epochs != [worker.epoch for worker, _ in self._places]:
            raise RamifyError("this tree no longer exists: the search has advanced to another position")
        if isinstance(self._origin, TreeNode) and self._stale():
            self._places = child_places(self._origin._where(), self._code)
        return self._places

    def _stale(self) -> bool:
        """Whether the node has moved: pruning reorders children, except joint ones."""
        if isinstance(self._code, tuple):
            return False
        return any(worker.tree.nodes["move"][node] != self._code for worker, node in self._places)


def moves_of_line(state: State, line: Sequence[Code]) -> list[Move | JointMove]:
    """Return the moves of a line of codes."""
    moves = []
    for code in line:
        moves.append(state.move_of(code))
        state = State(state.game, state.game.after(state.data, code))
    return moves


def proven_at(places: Sequence[tuple[Worker, int]], player: int) -> Bounds | None:
    """Return the bounds of a player's score at a node, from all trees that contain it, or None unless they prove."""
    found: Bounds | None = None
    for worker, node in places:
        own = worker.view.bounds(slice(node, node + 1), player)
        found = own if found is None or own is None else found.intersect(own)
    return found


def line_below(places: Sequence[tuple[Worker, int]]) -> list[Code]:
    """Return the codes of the principal variation from a node.

    It follows the most visited moves and the most probable visited chance outcomes. With proofs, only the moves that a
    recommendation would consider count.
    """
    line: list[Code] = []
    passed: set[tuple[int, ...]] = set()  # a line through shared nodes may contain a cycle
    while True:
        runs = tuple(worker.tree.children(node).start for worker, node in places)
        if runs in passed:
            return line
        passed.add(runs)
        weights: dict[Code, float] = {}
        totals: dict[Code, float] = {}
        for worker, node in places:
            chance = worker.tree.nodes["mover"][node] == CHANCE
            for code, child, count in worker.tree.moves(node):
                if count:
                    here = worker.tree.nodes[child]
                    weights[code] = float(here["chance"]) if chance else weights.get(code, 0.0) + count
                    totals[code] = totals.get(code, 0.0) + here["total"]
        if not weights:
            return line
        codes = list(weights) if chance else contenders(places, weights, totals)
        line.append(max(codes, key=lambda code: weights[code]))
        places = child_places(places, line[-1])


def contenders(
    places: Sequence[tuple[Worker, int]], visits: dict[Code, float], totals: dict[Code, float]
) -> list[Code]:
    """Return the codes of the visited moves at a node that a recommendation would consider."""
    worker, node = places[0]
    if worker.parts.proofs is None:
        return list(visits)
    mover = int(worker.tree.nodes["mover"][node])
    known = (proven_at(child_places(places, code), mover) for code in visits)
    bounds = [one for one in known if one is not None]
    merged = Bounds(np.concatenate([one.lower for one in bounds]), np.concatenate([one.upper for one in bounds]))
    means = merged.clamp(np.array([totals[code] / visits[code] for code in visits]))
    return [code for k, code in enumerate(visits) if k in merged.contenders(means)]


def child_places(places: Sequence[tuple[Worker, int]], code: Code) -> list[tuple[Worker, int]]:
    """Return the child of that move in each tree that contains it."""
    found = ((worker, worker.tree.child(node, code)) for worker, node in places)
    return [(worker, child) for worker, child in found if child is not None]


def root_of(workers: Sequence[Worker]) -> TreeNode:
    """Return the root of a search's trees."""
    return TreeNode(workers[0].start, [(worker, ROOT) for worker in workers])
