"""The open loop as a textbook has it: a node is a sequence of players' moves, chance is drawn anew every time.

The children of a node are a dictionary by player and move. Draws are as in ``naive``: at a node one if several children
share the highest index; after every move in the tree one for each outcome of chance; then the playout's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from ramify import CHANCE, Move, State
from tests.oracle import naive


@dataclass
class Node:
    move: Move | None = None
    visits: int = 0
    total: float = 0.0
    squares: float = 0.0
    mover: int = 0
    children: list[Node] | None = None  # those legal in the simulation that came here last
    known: dict[tuple[int, int], Node] = field(default_factory=dict)  # by player and code


class Search(naive.Search):
    """UCT without chance in the tree."""

    def node(self, move: Move | None = None, chance: float = 0.0) -> Any:
        return Node(move)

    def descend(self) -> tuple[State, list[Any]]:
        state, node = self.state, self.root
        path = [node]
        drawn = 0
        expanded = False
        while True:
            if not node.known:
                if expanded or (node is not self.root and node.visits < self.expand_threshold):
                    break
                expanded = True
            if not self.meet(node, state):
                break
            node = self.choose(node)
            # What a move is called may depend on the position.
            state = state.play(next(move for move in state.moves() if move.code == node.move.code))
            path.append(node)
            while not state.over and state.to_move == CHANCE:
                outcomes = state.chance_outcomes()
                state = state.play(outcomes[self.rng.weighted([chance for _, chance in outcomes])][0])
                drawn += 1
        self.calls += len(path) - 1 + drawn
        self.max_depth = max(self.max_depth, len(path) - 1)
        return state, path

    def meet(self, node: Any, state: State) -> bool:
        """Have children for the moves that are legal now; whether there are any."""
        if state.over:
            node.children = node.children or []
            return False
        node.mover = state.to_move
        for move in state.moves():
            if (node.mover, move.code) not in node.known:
                node.known[node.mover, move.code] = self.node(move)
                self.nodes += 1
        node.children = [node.known[node.mover, move.code] for move in state.moves()]
        return True

    def choose(self, node: Any) -> Any:
        """N leaves out the visits of children that are not legal now."""
        own = node.visits
        node.visits -= sum(child.visits for child in node.known.values()) - sum(one.visits for one in node.children)
        try:
            return super().choose(node)
        finally:
            node.visits = own

    def back_up(self, path: list[Any], scores: list[float]) -> None:
        path[0].visits += 1
        for parent, child in pairwise(path):
            child.visits += 1
            child.total += scores[parent.mover]
            child.squares += scores[parent.mover] ** 2

    def advance(self, move: Move) -> None:
        """Go on from a child, or, after an outcome of chance, from here; what is not legal there is forgotten."""
        before = self.state
        self.state = before.play(move)
        self.simulations = self.calls = self.cut_playouts = 0
        if before.to_move != CHANCE:
            self.root = self.root.known.get((before.to_move, move.code), self.node())
        if not self.root.known:
            self.root = self.node()
        if self.root.known and not self.state.over and self.state.to_move != CHANCE:
            self.meet(self.root, self.state)
            gone = [child for child in self.root.known.values() if not any(child is one for one in self.root.children)]
            self.root.visits -= sum(child.visits for child in gone)
            self.root.known = {(self.root.mover, child.move.code): child for child in self.root.children}
        self.nodes, self.max_depth = size(self.root), depth(self.root)


def size(node: Any) -> int:
    return 1 + sum(size(child) for child in node.known.values())


def depth(node: Any) -> int:
    return 1 + max(depth(child) for child in node.known.values()) if node.known else 0
