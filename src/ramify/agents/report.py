"""What a search found: the move, the root's children, the expected line, and the tree to walk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from ramify.agents.worker import Worker
from ramify.contract.game import Move, State
from ramify.core.engine.tree import CHANCE, ROOT
from ramify.errors import RamifyError

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Found:
    """What a search knows at one moment, in numbers."""

    codes: Whole  # of the root's children, and of each:
    visits: Floats
    values: Floats  # minus infinity where nothing is known
    estimates: Floats
    chosen: int  # the place of the recommended one
    line: list[int]  # codes of the variation
    simulations: int
    nodes: int
    seconds: float
    calls: int
    depth: int
    cut: int
    stopped: str
    note: str
    threads: int


@dataclass(frozen=True)
class Child:
    """A move at the root: how often it was tried, and its mean reward for the player to move."""

    move: Move
    visits: int
    value: float  # NaN when never visited
    estimate: float  # what the search takes the move to be worth: the value, or with RAVE a mixture; NaN: unknown


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
        self.simulations = found.simulations  # of this search, without what an earlier one left in the tree
        self.nodes = found.nodes
        self.seconds = found.seconds
        self.calls = found.calls  # forward-model calls
        self.depth = found.depth  # longest path in the tree
        self.cut = found.cut  # playouts that the ply limit ended
        self.stopped = found.stopped  # which budget ran out, "settled", "cancelled", or "enough": an observer says so
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
                self._move(int(found.codes[k])), int(found.visits[k]), known(found.values[k]), known(found.estimates[k])
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
            "simulations": self.simulations,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "simulations_per_second": self.simulations / self.seconds if self.seconds else None,
            "calls": self.calls,
            "depth": self.depth,
            "cut": self.cut,
            "stopped": self.stopped,
            "note": self.note,
            "variation": [str(move) for move in self.variation],
            "children": [
                {"move": str(c.move), "visits": c.visits, "value": number(c.value), "estimate": number(c.estimate)}
                for c in self.children
            ],
        }


def known(value: float) -> float:
    """A mean; NaN where there is none."""
    return float(value) if value > -np.inf else float("nan")


def number(value: float) -> float | None:
    """A number for JSON, which has no NaN."""
    return None if np.isnan(value) else value


class TreeNode:
    """A node of the tree; of a root-parallel search, the same node of every tree that has it.

    Its move and its position are worked out when they are asked for: a tree has many nodes, and few are looked at.
    """

    def __init__(self, origin: State | TreeNode, places: Sequence[tuple[Worker, int]], code: int = 0) -> None:
        self._origin = origin  # the position at the root, the parent anywhere else
        self._code = code  # of the move that led here from the parent
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
        self._where()
        return Move(self._code, before.game.move_name(before.data, self._code))

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
        return [TreeNode(self, found[code], code) for code in sorted(found, key=lambda code: -visits[code])]

    def walk(self) -> Iterator[TreeNode]:
        """This node and every visited node below it, parents first."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(child for child in reversed(node.children()) if child.visits)

    def variation(self) -> list[Move]:
        """The most visited line from here; where chance moves, its likeliest outcome that was visited."""
        return named(self.state, line_below(self._where()))

    def _where(self) -> Sequence[tuple[Worker, int]]:
        if self._epochs != [worker.epoch for worker, _ in self._places]:
            raise RamifyError("the search has moved on to another position, so this tree is gone")
        if isinstance(self._origin, TreeNode) and self._stale():
            self._places = places_below(self._origin._where(), self._code)
        return self._places

    def _stale(self) -> bool:
        """Whether it stands elsewhere by now: whoever prunes reorders the children of a node."""
        return any(worker.tree.nodes["move"][node] != self._code for worker, node in self._places)


def named(state: State, line: Sequence[int]) -> list[Move]:
    """The moves of a line by their codes."""
    game, data = state.game, state.data
    moves = []
    for code in line:
        moves.append(Move(code, game.move_name(data, code)))
        data = game.play(data, code)
    return moves


def line_below(places: Sequence[tuple[Worker, int]]) -> list[int]:
    """Codes of the most visited line from a node; where chance moves, of its likeliest outcome that was visited."""
    line: list[int] = []
    while True:
        weights: dict[int, float] = {}
        for worker, node in places:
            children = worker.tree.nodes[worker.tree.children(node)]
            chance = worker.tree.nodes["mover"][node] == CHANCE
            for k in np.flatnonzero(children["visits"]):
                code = int(children["move"][k])
                weights[code] = (
                    float(children["chance"][k]) if chance else weights.get(code, 0.0) + children["visits"][k]
                )
        if not weights:
            return line
        line.append(max(weights, key=lambda code: weights[code]))
        places = places_below(places, line[-1])


def places_below(places: Sequence[tuple[Worker, int]], code: int) -> list[tuple[Worker, int]]:
    """Where the child of that move stands in each tree that has it."""
    below = []
    for worker, node in places:
        where = worker.tree.children(node)
        at = np.flatnonzero(worker.tree.nodes["move"][where] == code)
        below += [(worker, where.start + int(k)) for k in at]
    return below


def root_of(state: State, workers: Sequence[Worker]) -> TreeNode:
    """The root of a search's trees."""
    return TreeNode(state, [(worker, ROOT) for worker in workers])
