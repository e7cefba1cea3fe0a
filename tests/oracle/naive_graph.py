"""Transpositions as a textbook has them: a dictionary of positions, and edges that lead to them.

``UCT1`` values an edge by its own simulations, ``UCT2`` by all simulations through the position it leads to. A position
is the same where the state is, and the player who moved there; with ``timed`` also the number of plies from the start.
It enters the dictionary when it is expanded, and takes over what its first edge knew; every edge that comes to it later
adds what that one knew. A path that comes to a position for the second time ends there.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

from ramify import Move, State
from tests.oracle import naive, naive_rave

WHOLE_PATH = 4096  # moves


@dataclass(eq=False)
class Position:
    player: int  # whose rewards are summed
    mover: int
    children: list[Any]
    visits: int = 0
    total: float = 0.0
    squares: float = 0.0
    edges: list[Any] = field(default_factory=list)


class Graph:
    """What a search does otherwise where it shares positions; a mixin before a naive search."""

    means = False
    timed = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.known: dict[Any, Position] = {}
        self.ply = 0
        self.shared = 0

    def key(self, state: State, depth: int, player: int) -> Any:
        return (state.game.key(state.data), player, self.ply + depth if self.timed else 0)

    def descend(self) -> tuple[State, list[Any]]:
        state, node, player = self.state, self.root, 0
        path: list[Any] = [node]
        passed: list[Position] = []
        expanded = False
        while len(path) <= WHOLE_PATH:
            if node.children is None and not self.share(node, self.key(state, len(path) - 1, player)):
                due = node is self.root or node.visits >= self.expand_threshold
                if expanded or not due:
                    break
                self.expand(node, state)
                expanded = True
                if node.children:
                    self.enter(node, player, self.key(state, len(path) - 1, player))
            if not node.children or any(position is node.position for position in passed):
                break
            passed.append(node.position)
            player = max(node.mover, 0)
            node = self.choose(node)
            state = state.play(node.move)
            path.append(node)
        self.calls += len(path) - 1
        self.max_depth = max(self.max_depth, len(path) - 1)
        return state, path

    def enter(self, edge: Any, player: int, key: Any) -> None:
        position = Position(player, edge.mover, edge.children, edge.visits, edge.total, edge.squares)
        self.nodes += 1  # a record of its own
        self.known[key] = edge.position = position
        if edge is not self.root:
            position.edges.append(edge)

    def share(self, edge: Any, key: Any) -> bool:
        position = self.known.get(key)
        if position is None:
            return False
        edge.position, edge.children, edge.mover = position, position.children, position.mover
        position.visits += edge.visits
        position.total += edge.total
        position.squares += edge.squares
        position.edges.append(edge)
        self.shared += 1
        return True

    def seen_at(self, node: Any) -> int:
        return node.visits if node is self.root else node.position.visits

    def choose(self, node: Any) -> Any:
        """The N of policies is the position's."""
        own, node.visits = node.visits, self.seen_at(node)
        try:
            return super().choose(node)
        finally:
            node.visits = own

    def back_up(self, path: list[Any], scores: list[float]) -> None:
        for level, node in enumerate(path):
            node.visits += 1
            reward = scores[max(path[level - 1].mover, 0)] if level else 0.0
            if level and (not node.children or not self.means):
                node.total += reward
                node.squares += reward * reward
            if node.children:
                position = node.position
                position.visits += 1
                if self.means:
                    reward = scores[position.player]
                    position.total += reward
                    position.squares += reward * reward
                    for edge in position.edges:
                        edge.total = edge.visits * (position.total / position.visits)
                        edge.squares = edge.visits * (position.squares / position.visits)
        self.learn(path, scores)

    def learn(self, path: list[Any], scores: list[float]) -> None:
        pass

    def advance(self, move: Move) -> None:
        known = [child for child in self.root.children or [] if child.move == move]
        self.state = self.state.play(move)
        self.ply += 1
        self.simulations = self.calls = self.cut_playouts = 0
        if not known or not known[0].children:
            self.root, self.known, self.ply = self.node(), {}, 0
            self.nodes, self.max_depth, self.shared = 1, 0, 0
            return
        self.root = self.as_root(known[0])
        self.forget_others()

    def as_root(self, edge: Any) -> Any:
        """A copy: where positions repeat, the edge itself may lead here again."""
        return replace(edge, visits=edge.position.visits)

    def forget_others(self) -> None:
        """Keep what can be reached from the root, level by level."""
        reached: list[Position] = []
        level, edges, depth = [self.root], [], 0
        self.shared = 0
        while level:
            below: list[Any] = []
            for edge in level:
                if not edge.children:
                    continue
                edges.append(edge)
                if any(position is edge.position for position in reached):
                    self.shared += 1
                else:
                    reached.append(edge.position)
                    below += edge.children
            level = below
            depth += bool(below)
        self.max_depth = depth
        self.nodes = 1 + sum(1 + len(position.children) for position in reached)
        for position in reached:
            position.edges = [edge for edge in edges if edge.position is position and edge is not self.root]
        kept = {id(position) for position in reached}
        self.known = {key: position for key, position in self.known.items() if id(position) in kept}


@dataclass
class Node(naive.Node):
    position: Position | None = None


class Search(Graph, naive.Search):
    """UCT1 without all moves as first."""

    def node(self, move: Move | None = None, chance: float = 0.0) -> Node:
        return Node(move, chance)


class Search2(Search):
    """UCT2."""

    means = True


@dataclass
class RaveNode(naive_rave.Node):
    position: Position | None = None


class Rave(Graph, naive_rave.Search):
    """RAVE or GRAVE with UCT1."""

    def node(self, move: Move | None = None, chance: float = 0.0) -> RaveNode:
        return RaveNode(move, chance)

    def learn(self, path: list[Any], scores: list[float]) -> None:
        self.credit(path, scores)

    def as_root(self, edge: RaveNode) -> RaveNode:
        return replace(super().as_root(edge), table=deepcopy(edge.table))


class Rave2(Rave):
    """And with UCT2."""

    means = True
