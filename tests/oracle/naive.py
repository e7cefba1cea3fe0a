"""UCT as a textbook has it: objects, a function for each step, no arrays and no compiled code of its own.

It sees a game through the public ``State`` and repeats the engine's draws in their documented order. In the tree: at a
chance node one draw; at any other node one draw if, and only if, several children share the highest index. Then the
playout: one draw a ply, whoever's turn it is (``draw`` says how the move is drawn where a game has its own way, and
``own_playout`` is for games that have a whole playout of their own).
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import log, sqrt

import numpy as np

from ramify import CHANCE, Move, State
from ramify.contract.compiled_game import as_record

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class Generator:
    """SplitMix64."""

    def __init__(self, seed: int, stream: int = 0) -> None:
        self.state = mix((mix(seed & MASK) + stream * GOLDEN) & MASK)

    def word(self) -> int:
        self.state = (self.state + GOLDEN) & MASK
        return mix(self.state)

    def below(self, n: int) -> int:
        return ((self.word() >> 32) * n) >> 32

    def uniform(self) -> float:
        return (self.word() >> 11) / 2.0**53

    def weighted(self, weights: list[float]) -> int:
        """An index, each as likely as its weight; the last takes what rounding leaves."""
        left = self.uniform()
        for k, weight in enumerate(weights[:-1]):
            left -= weight
            if left < 0.0:
                return k
        return len(weights) - 1


def single(x: float) -> float:
    """Rounded to 32 bits: the tree keeps probabilities so."""
    return struct.unpack("f", struct.pack("f", x))[0]


@dataclass
class Node:
    move: Move | None = None
    chance: float = 0.0
    visits: int = 0
    total: float = 0.0
    squares: float = 0.0
    mover: int = 0
    children: list[Node] | None = None  # None: not expanded; empty: the game is over here


def uniform(state: State, rng: Generator) -> Move:
    """One draw for the number of a move in order of generation; most games' own ``sample`` does the same, faster."""
    moves = state.moves()
    return moves[rng.below(len(moves))]


def reservoir(state: State, rng: Generator) -> Move:
    """A draw for each move, which keeps it with the chance that makes all equal."""
    moves = state.moves()
    chosen = moves[0]
    for seen, move in enumerate(moves, start=1):
        if rng.below(seen) == 0:
            chosen = move
    return chosen


def ucb1(N: float, n: float, m: float, s: float, c: float) -> float:
    return m + c * sqrt(log(N) / n)


def own(state: State, rng: Generator) -> tuple[State, int]:
    """The playout in a game's own file, run as Python; the position it leaves and its plies."""
    data, cell = state.data.copy(), np.array([rng.state], np.uint64)
    with np.errstate(over="ignore"):
        plies = state.game.module.playout(state.game.rules, as_record(data), cell)
    rng.state = int(cell[0])
    return State(state.game, data), int(plies)


@dataclass
class Search:
    """A search and what it counts."""

    state: State
    seed: int
    c: float = 0.7
    fpu: float = 10_000.0
    expand_threshold: int = 1
    limit: int = 100_000
    draw: Callable[[State, Generator], Move] = uniform
    stream: int = 0
    policy: Callable[..., float] = ucb1
    own_playout: Callable[[State, Generator], tuple[State, int]] | None = None

    def __post_init__(self) -> None:
        self.rng = Generator(self.seed, self.stream)
        self.root = self.node()
        self.nodes = 1
        self.simulations = self.calls = self.max_depth = self.cut_playouts = 0

    def node(self, move: Move | None = None, chance: float = 0.0) -> Node:
        """A new node."""
        return Node(move, chance)

    def run(self, simulations: int) -> Search:
        for _ in range(simulations):
            self.simulate()
        return self

    def advance(self, move: Move) -> None:
        """Go on from a child of the root; where it was not expanded, from nothing."""
        known = [child for child in self.root.children or [] if child.move == move]
        self.state = self.state.play(move)
        self.root = known[0] if known and known[0].children else self.node()
        self.nodes, self.max_depth = size(self.root), depth(self.root)
        self.simulations = self.calls = self.cut_playouts = 0

    def simulate(self) -> None:
        state, path = self.descend()
        self.back_up(path, self.play_out(state))
        self.simulations += 1

    def back_up(self, path: list[Node], scores: list[float]) -> None:
        path[0].visits += 1
        for parent, child in pairwise(path):
            child.visits += 1
            reward = scores[parent.mover if parent.mover != CHANCE else 0]
            child.total += reward
            child.squares += reward * reward

    def descend(self) -> tuple[State, list[Node]]:
        state, node = self.state, self.root
        path = [node]
        expanded = False
        while not expanded:
            if node.children is None:
                if node is not self.root and node.visits < self.expand_threshold:
                    break
                self.expand(node, state)
                expanded = True
            if not node.children:
                break
            node = self.choose(node)
            state = state.play(node.move)
            path.append(node)
        self.calls += len(path) - 1
        self.max_depth = max(self.max_depth, len(path) - 1)
        return state, path

    def expand(self, node: Node, state: State) -> None:
        if state.over:
            node.children = []
            return
        node.mover = state.to_move
        if node.mover == CHANCE:
            node.children = [self.node(move, single(probability)) for move, probability in state.chance_outcomes()]
        else:
            node.children = [self.node(move) for move in state.moves()]
        self.nodes += len(node.children)

    def choose(self, node: Node) -> Node:
        if node.mover == CHANCE:
            return node.children[self.rng.weighted([child.chance for child in node.children])]
        if len(node.children) > 256 and 2 * node.visits < len(node.children) and self.fpu >= 10_000.0:
            chosen = node.children[self.rng.below(len(node.children))]
            while chosen.visits > 0:
                chosen = node.children[self.rng.below(len(node.children))]
            return chosen
        indices = [self.index(node, child) for child in node.children]
        best = [child for child, index in zip(node.children, indices, strict=True) if index == max(indices)]
        return best[0] if len(best) == 1 else best[self.rng.below(len(best))]

    def index(self, node: Node, child: Node) -> float:
        if child.visits == 0:
            return self.fpu
        N, n = float(node.visits), float(child.visits)
        m = child.total / n
        return self.policy(N, n, m, sqrt(max(child.squares / n - m * m, 0.0)), self.c)

    def play_out(self, state: State) -> list[float]:
        plies = 0
        if self.own_playout and not state.over:
            state, plies = self.own_playout(state, self.rng)
        while not state.over:
            if plies == self.limit:
                self.cut_playouts += 1
                self.calls += plies
                return [0.5] * state.game.players
            if state.to_move == CHANCE:
                outcomes = state.chance_outcomes()
                move = outcomes[self.rng.weighted([probability for _, probability in outcomes])][0]
            else:
                move = self.draw(state, self.rng)
            state = state.play(move)
            plies += 1
        self.calls += plies
        return state.scores()


def size(node: Node) -> int:
    return 1 + sum(size(child) for child in node.children or [])


def depth(node: Node) -> int:
    return 1 + max(depth(child) for child in node.children) if node.children else 0
