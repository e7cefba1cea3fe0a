"""MCTS-Solver as a textbook has it: every node has a lowest and a highest score of each player.

After a simulation that ends in the tree all nodes of its path are looked at again, from the end up. Where a player
moves, it gets the best of the children's scores, and the others any of them; with two players, whose scores add up
to 1, and with more, as far as one player's score leaves less to the others, the highest scores are lowered by that.
Children that cannot bring the mover more than it is sure of change places with the last live one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ramify import CHANCE, Move, State
from tests.oracle import naive

CLOSE = 1e-9


@dataclass
class Node(naive.Node):
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    live: int = 0

    @property
    def known(self) -> bool:
        return all(high - low <= CLOSE for low, high in zip(self.low, self.high, strict=True))


class Search(naive.Search):
    """A search that stops when the score of the player to move is known."""

    def __post_init__(self) -> None:
        self.largest = 1.0
        super().__post_init__()

    def node(self, move: Move | None = None, chance: float = 0.0) -> Node:
        players = self.state.game.players
        return Node(move, chance, low=[0.0] * players, high=[1.0] * players)

    @property
    def proven(self) -> bool:
        mover = self.root.mover
        return bool(self.root.children) and self.root.high[mover] - self.root.low[mover] <= CLOSE

    def run(self, simulations: int) -> Search:
        for _ in range(simulations):
            if self.proven:
                break
            self.simulate()
        return self

    def expand(self, node: Node, state: State) -> None:
        super().expand(node, state)
        node.live = len(node.children)

    def choose(self, node: Node) -> Node:
        return super().choose(replace(node, children=node.children[: node.live]))

    def simulate(self) -> None:
        state, path = self.descend()
        self.back_up(path, self.play_out(state))
        self.simulations += 1
        if state.over and not path[-1].known:
            path[-1].low, path[-1].high = state.scores(), state.scores()
            self.largest = max(self.largest, sum(state.scores()))
            for node in reversed(path[:-1]):
                self.look_at(node)

    def look_at(self, node: Node) -> None:
        for player in range(len(node.low)):
            lows = [child.low[player] for child in node.children]
            highs = [child.high[player] for child in node.children]
            if node.mover == CHANCE:
                weights = [child.chance for child in node.children]
                low, high = mean(lows, weights), mean(highs, weights)
            else:
                low = max(lows) if player == node.mover else min(lows)
                high = max(highs)
            node.low[player] = max(node.low[player], low)
            node.high[player] = min(node.high[player], high)
        if len(node.low) > 1:
            for player in range(len(node.low)):
                others = sum(low for other, low in enumerate(node.low) if other != player)
                node.high[player] = min(node.high[player], self.largest - others)
        if node.mover != CHANCE:
            self.hide(node)

    def hide(self, node: Node) -> None:
        mover, children = node.mover, node.children
        if all(self.is_pointless(node, child) for child in children[: node.live]):
            lows = [child.low[mover] for child in children]
            exchange(children, 0, lows.index(max(lows)))
            node.live = 1
            return
        for k in reversed(range(node.live)):
            if self.is_pointless(node, children[k]):
                node.live -= 1
                exchange(children, k, node.live)

    def is_pointless(self, node: Node, child: Node) -> bool:
        most, sure = child.high[node.mover], node.low[node.mover]
        if most > sure + CLOSE:
            return False
        shared = len(node.low) == 1 or (len(node.low) == 2 and self.state.game.constant_sum)
        return shared or most < sure - CLOSE or child.known


def mean(numbers: list[float], weights: list[float]) -> float:
    return sum(n * w for n, w in zip(numbers, weights, strict=True)) / sum(weights)


def exchange(children: list[Node], one: int, other: int) -> None:
    children[one], children[other] = children[other], children[one]
