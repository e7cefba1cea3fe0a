"""What a search found: the move, the root's children, the expected line."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ramify.agents.hooks.bounds import Bounds
from ramify.agents.search.root_moves import RootMoves
from ramify.agents.search.tree_view import TreeNode, moves_of_line
from ramify.contract.game import Code, JointMove, Move, State
from ramify.errors import RamifyError

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int32]


@dataclass(frozen=True)
class MoveStatistics:
    """What a search knows of the moves of one player at the root."""

    player: int
    codes: Whole  # and of each:
    visits: Floats
    values: Floats  # minus infinity where nothing is known
    estimates: Floats
    bounds: Bounds | None  # None where the agent does not prove
    shares: Floats | None  # of the mixed strategy that it recommends; None where it recommends a move
    chosen: int  # the place of the recommended one

    @property
    def code(self) -> int:
        """The move that is recommended."""
        return int(self.codes[self.chosen])

    @property
    def value(self) -> float:
        """Its mean reward; NaN where that is unknown."""
        return nan_if_unvisited(self.values[self.chosen])


def move_statistics(moves: RootMoves) -> MoveStatistics:
    """What the trees of a search know now."""
    visits, values, estimates = moves.statistics()
    bounds = moves.bounds()
    return MoveStatistics(
        player=moves.player,
        codes=moves.codes().copy(),
        visits=visits,
        values=values if bounds is None else bounds.within(values),
        estimates=estimates if bounds is None else bounds.within(estimates),
        bounds=bounds,
        shares=moves.average_strategy() if moves.agent.recommend.uses_average_strategy else None,
        chosen=moves.recommended(visits, estimates, bounds),
    )


@dataclass(frozen=True)
class Child:
    """A move at the root: how often it was tried, and its mean reward for the player to move.

    What is proven comes before means: ``bounds`` are the lowest and the highest score that the move can bring.
    """

    move: Move
    visits: int
    value: float  # NaN when never visited
    estimate: float  # what the search takes the move to be worth: the value, or with RAVE a mixture; NaN: unknown
    bounds: tuple[float, float] | None = None  # None where the agent does not prove
    player: int = 0  # whose move it is
    probability: float | None = None  # how often a mixed strategy plays it; None where a move is recommended

    @property
    def proven(self) -> float | None:
        """The score that is proven; None while none is."""
        return exact_score(self.bounds)


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """The outcome of a search, as it was when it was made.

    Names of moves and the position's text are made in Python by the game; they are worked out when they are asked for,
    since a short search takes less time than they do.
    """

    state: State  # that was searched
    agent: str
    seed: int
    choices: list[MoveStatistics]  # of the player to move, or of every player
    joint: bool  # whether everybody moves at the root
    player: int | None  # who wants a move, where everybody moves and somebody in particular asked
    line: list[Code]  # codes of the variation
    root: TreeNode
    simulations: int  # of this search, without what an earlier one left in the tree
    nodes: int
    shared: int  # edges to positions that another edge leads to, too; 0 without transpositions
    seconds: float
    calls: int  # forward-model calls
    depth: int  # longest path in the tree
    cut: int  # playouts that the ply limit ended
    stopped: str  # which budget ran out, "proven", "settled", "cancelled", or "enough": a hook says so
    note: str  # what the allocation says about how the budget was spent, if anything
    threads: int

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.state.game.name

    @property
    def _own(self) -> MoveStatistics:
        return self.choices[(self.player or 0) if self.joint else 0]

    @property
    def value(self) -> float:
        """Mean reward of the move for the player to move, or who searches; NaN: unknown."""
        return self._own.value

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Of that player's score; None where the agent does not prove."""
        return best_bounds(self._own.bounds)

    @property
    def proven(self) -> float | None:
        """That score, once it is proven."""
        return exact_score(self.bounds)

    def __repr__(self) -> str:
        return f"<Report {self.move} {self.value:.3f} after {self.simulations} simulations of {self.game}>"

    def _move(self, code: int) -> Move:
        return Move(code, self.state.game.move_name(self.state.data, code))

    @cached_property
    def move(self) -> Move | JointMove:
        """The move that the search recommends; one of everybody, where all move at once and nobody in particular asked.

        Each of these is recommended to its own player, who does not know what the others do.
        """
        return self.joint_move if self.joint and self.player is None else self._move(self._own.code)

    @cached_property
    def joint_move(self) -> JointMove:
        """The moves recommended to everybody who moves at the root."""
        return JointMove(self._move(choice.code) for choice in self.choices)

    @cached_property
    def children(self) -> list[Child]:
        """The moves at the root, most visited first; where all move and nobody in particular asked, those of each."""
        if self.joint and self.player is None:
            return [child for choice in self.choices for child in self._children(choice)]
        return self._children(self._own)

    def children_of(self, player: int) -> list[Child]:
        """The moves of one player at the root, most visited first."""
        for choice in self.choices:
            if choice.player == player:
                return self._children(choice)
        raise RamifyError(f"player {player} has no moves in this position")

    def _children(self, choice: MoveStatistics) -> list[Child]:
        bounds, shares = choice.bounds, choice.shares
        order = np.argsort(-choice.visits, kind="stable")
        return [
            Child(
                self._move(int(choice.codes[k])),
                int(choice.visits[k]),
                nan_if_unvisited(choice.values[k]),
                nan_if_unvisited(choice.estimates[k]),
                None if bounds is None else (float(bounds.lower[k]), float(bounds.upper[k])),
                choice.player,
                None if shares is None else float(shares[k]),
            )
            for k in order
        ]

    @cached_property
    def variation(self) -> list[Move | JointMove]:
        """Best replies as far as the tree goes; chance outcomes by their likelihood."""
        return moves_of_line(self.state, self.line)

    @cached_property
    def position(self) -> str:
        """The position that was searched, as text."""
        return self.state.text()

    def tree(self) -> TreeNode:
        """The root of the tree. It shows the search as it is now: a search that goes on changes it."""
        return self.root

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data, for JSON."""
        return {
            "game": self.game,
            "position": self.position,
            "agent": self.agent,
            "seed": self.seed,
            "threads": self.threads,
            "move": str(self.move),
            "value": number(self.value),
            "bounds": self.bounds,
            "proven": self.proven,
            "simulations": self.simulations,
            "nodes": self.nodes,
            "shared": self.shared,
            "seconds": self.seconds,
            "simulations_per_second": self.simulations / self.seconds if self.seconds else None,
            "calls": self.calls,
            "depth": self.depth,
            "cut": self.cut,
            "stopped": self.stopped,
            "note": self.note,
            "variation": [str(move) for move in self.variation],
            **self._who(),
            "children": [self._row(child) for child in self.children],
        }

    def _who(self) -> dict[str, Any]:
        """Where everybody moves at once: who searches, and what is recommended to each."""
        if not self.joint:
            return {} if self.player is None else {"player": self.player}
        players = [
            {"player": choice.player, "move": str(self._move(choice.code)), "value": number(choice.value)}
            for choice in self.choices
        ]
        return {"player": self.player, "joint_move": str(self.joint_move), "players": players}

    def _row(self, child: Child) -> dict[str, Any]:
        """A move as plain data."""
        row = {
            "move": str(child.move),
            "visits": child.visits,
            "value": number(child.value),
            "estimate": number(child.estimate),
            "bounds": child.bounds,
            "proven": child.proven,
        }
        if self.joint:
            row["player"] = child.player
        if child.probability is not None:
            row["share"] = child.probability
        return row


def nan_if_unvisited(value: float) -> float:
    """A mean; NaN where there is none."""
    return float(value) if value > -np.inf else float("nan")


def best_bounds(bounds: Bounds | None) -> tuple[float, float] | None:
    """What the player to move can have, by the bounds of the moves."""
    return None if bounds is None else (float(bounds.lower.max()), float(bounds.upper.max()))


def exact_score(bounds: tuple[float, float] | None) -> float | None:
    """The score between two bounds that have met."""
    return bounds[0] if bounds is not None and bounds[0] == bounds[1] else None


def number(value: float) -> float | None:
    """A number for JSON, which has no NaN."""
    return None if np.isnan(value) else value
