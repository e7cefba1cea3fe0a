"""RAVE and GRAVE as a textbook has them: every simulation is a list of moves, and every node looks through its rest.

At a node of a simulation the *rest* are the moves from there on, each as player and move class. For each of them that
occurs, the first occurrence counts: once, or with Fuego's weight 2 - (first - i) / (length - i), i being the place of
the node. Chance makes no move; its plies count in the tree, where they are nodes, and not in the playout.

RAVE keeps the sums S and R of a node's own children. GRAVE keeps a table of all players and classes, in the root and in
nodes that have been visited ``TABLES_FROM`` times, at most one new table a simulation; the children get S and R before
each choice, from the closest table that has seen more than ``ref`` simulations, or from the root's.

After the playout an error model draws once, whether or not it then changes anything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf, log, sqrt

from ramify import CHANCE, Move, State
from ramify.contract.compiled_game import as_record
from tests.oracle import naive

TABLES_FROM = 4
Made = tuple[int, int]  # player and class


def rave(N, n, t, S, R, initial=1.0, final=32768.0, c=0.7):
    """Multiplied out, as the engine computes it: the last bit decides which indices are equal."""
    a, b = final + initial * S, initial * final
    return (t * a + R * b) / (n * a + S * b) + c * sqrt(log(N) / (n + 1.0))


def rave_max(N, n, t, S, R, initial=1.0, final=32768.0, c=0.7):
    a, b = final + initial * S, initial * final
    mean = t / n if n else 0.0
    return max((t * a + R * b) / (n * a + S * b), mean) + c * sqrt(log(N) / (n + 1.0))


def rave_only(N, n, t, S, R, c=0.7):
    return R / S + c * sqrt(log(N) / (n + 1.0))


def rave_doubt(N, n, t, S, R, initial=1.0, final=32768.0, c=0.7, z=1.0):
    X, Y = t / n if n else 0.0, R / S
    apart = max((Y - X) * (Y - X) - z / n - z / S, 0.0) if n else 0.0
    W = S / (1.0 / initial + S / final + 4.0 * S * apart)
    return (t + W * Y) / (n + W) + c * sqrt(log(N) / (n + 1.0))


def mc_grave(N, n, t, S, R, bias=1e-5):
    """(1 - b) X + b Y with Cazenave's b, multiplied out, as the engine computes it."""
    return (t * (1.0 + bias * S) + R) / (n + S + bias * n * S)


def ucb1(N, n, t, S, R, c=0.7):
    return t / n + c * sqrt(log(N) / n) if n else inf


def class_of(state: State, move: Move) -> int:
    """What the game says, or the move's own number."""
    module = getattr(state.game, "module", None)
    if not hasattr(module, "move_class"):
        return move.code
    return int(module.move_class(state.game.rules, as_record(state.data), move.code))


@dataclass
class Node(naive.Node):
    kind: int = -1
    S: float = 0.0
    R: float = 0.0
    table: dict[Made, list[float]] | None = None
    seen: int = 0


@dataclass
class Search(naive.Search):
    """``formula`` below the root and there, too, unless ``at_root`` is given; ``ref``: GRAVE below the root."""

    formula: Callable[..., float] = rave
    at_root: Callable[..., float] | None = None
    ref: float | None = None
    ref_at_root: bool = True  # with ref: whether the root's children get their sums from its table
    columns: bool = True  # without ref, or where the root has RAVE: whether every node credits its children
    weighted: bool = False
    kind: str | None = None  # of false updates
    target: str = ""
    mu: float = 0.5
    shared: bool = False
    per_node: bool = False  # every node draws for itself, the deepest first
    root_only: bool = False  # only the root's updates are false
    own: bool = True  # the move made at a node is credited falsely there, too
    stones: Callable[[State], dict[int, int]] | None = None  # who owns which cells, where a whole playout is one step
    made: list[Made] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.columns = self.columns and (self.ref is None or not self.ref_at_root)
        self.source: Node | None = None
        self.aimed = self.find_target()
        inner, self.draw = self.draw, self.drawn
        self.inner_draw = inner
        if self.own_playout:
            self.inner_playout, self.own_playout = self.own_playout, self.played

    def find_target(self) -> int | None:
        found = [move for move in self.state.moves() if move.name == self.target]
        return class_of(self.state, found[0]) if found else None

    def advance(self, move: Move) -> None:
        super().advance(move)
        self.aimed = self.find_target()

    def node(self, move: Move | None = None, chance: float = 0.0) -> Node:
        return Node(move, chance)

    def drawn(self, state: State, rng: naive.Generator) -> Move:
        move = self.inner_draw(state, rng)
        self.made.append((state.to_move, class_of(state, move)))
        return move

    def played(self, state: State, rng: naive.Generator) -> tuple[State, int]:
        end, plies = self.inner_playout(state, rng)
        before = self.stones(state)
        self.made += [(player, cell) for cell, player in self.stones(end).items() if cell not in before]
        return end, plies

    def play_out(self, state: State) -> list[float]:
        self.made = []
        return super().play_out(state)

    def expand(self, node: Node, state: State) -> None:
        super().expand(node, state)
        if node.mover != CHANCE:
            for child in node.children:
                child.kind = class_of(state, child.move)

    def choose(self, node: Node) -> Node:
        if self.ref is not None and node.mover != CHANCE:
            self.inherit(node)
        return super().choose(node)

    def inherit(self, node: Node) -> None:
        if node is self.root or (node.table is not None and node.seen > self.ref):
            self.source = node
        if self.source.table is None or (node is self.root and not self.ref_at_root):
            return
        for child in node.children:
            child.S, child.R = self.source.table.get((node.mover, child.kind), (0.0, 0.0))

    def index(self, node: Node, child: Node) -> float:
        if child.visits == 0 and child.S == 0.0:
            return inf if self.fpu >= 10_000.0 else self.fpu
        formula = (node is self.root and self.at_root) or self.formula
        return formula(float(max(node.visits, 1)), float(child.visits), child.total, child.S, child.R)

    def back_up(self, path: list[Node], scores: list[float]) -> None:
        super().back_up(path, scores)
        self.credit(path, scores)

    def credit(self, path: list[Node], scores: list[float]) -> None:
        """Credit the moves of a simulation."""
        moves = [(parent.mover, child.kind) for parent, child in pairwise(path)] + self.made
        values = self.told_at(path, moves, scores)
        if self.ref is not None:
            self.give_table(path)
        for i, node in enumerate(path[:-1]):
            if node.mover == CHANCE:
                continue
            rest = self.weights(moves, i)
            value = values[i] if self.own else self.but_for(values[i], moves[i], scores)
            if self.columns:
                for child in node.children:
                    weight = rest.get((node.mover, child.kind), 0.0)
                    child.S += weight
                    child.R += weight * value(node.mover, child.kind)
            if node.table is not None:
                node.seen += 1
                for (player, kind), weight in rest.items():
                    sums = node.table.setdefault((player, kind), [0.0, 0.0])
                    sums[0] += weight
                    sums[1] += weight * value(player, kind)

    def told_at(self, path, moves, scores):
        """What moves are credited with, by the place of the node."""
        if not self.per_node and not self.root_only:
            return [self.told(moves, scores)] * len(path)
        found = {}
        for i in range(len(path) - 2, -1, -1):
            lies = path[i].mover != CHANCE and (i == 0 or not self.root_only)
            found[i] = self.told(moves, scores) if lies else (lambda player, kind: scores[player])
        return found

    def but_for(self, value, made, scores):
        """The same, with the truth for the move made here."""
        return lambda player, kind: scores[player] if (player, kind) == made else value(player, kind)

    def weights(self, moves: list[Made], i: int) -> dict[Made, float]:
        """What each move of the rest counts, by its first occurrence."""
        found: dict[Made, float] = {}
        for first in range(i, len(moves)):
            if moves[first][0] != CHANCE and moves[first] not in found:
                found[moves[first]] = 2.0 - (first - i) / (len(moves) - i) if self.weighted else 1.0
        return found

    def give_table(self, path: list[Node]) -> None:
        for node in path[:-1]:
            often = node is self.root or node.visits >= TABLES_FROM
            if often and node.mover != CHANCE and node.table is None:
                node.table = {}
                return

    def told(self, moves: list[Made], scores: list[float]) -> Callable[[int, int], float]:
        """What a player's move of a class is credited with in this simulation."""
        lie = self.kind is not None and self.rng.uniform() < self.mu
        if lie and self.kind == "indiscriminate":
            return lambda player, kind: 1.0 - scores[player]
        makers = [player for player, kind in moves if kind == self.aimed and player != CHANCE]
        if not lie or not makers:
            return lambda player, kind: scores[player]
        maker = makers[0]
        wrong = scores[maker] > 0.5 if self.kind == "lower" else scores[maker] < 0.5

        def value(player: int, kind: int) -> float:
            meant = player == maker and (self.shared or kind == self.aimed)
            return 1.0 - scores[player] if wrong and meant else scores[player]

        return value
