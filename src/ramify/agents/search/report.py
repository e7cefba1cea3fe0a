"""The report of a search: recommended move, root children, principal variation."""

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
from ramify.old_names import old_members

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]


@dataclass(frozen=True)
class MoveStatistics:
    """Statistics of one player's moves at the root. All arrays have one entry per move."""

    player: int
    codes: Codes
    visits: Floats
    values: Floats  # minus infinity if unvisited
    estimates: Floats
    bounds: Bounds | None  # None unless the agent proves scores
    average_strategy: Floats | None  # None unless the recommendation uses it
    chosen: int  # index of the recommended move

    @property
    def code(self) -> int:
        """Code of the recommended move."""
        return int(self.codes[self.chosen])

    @property
    def value(self) -> float:
        """Mean reward of the recommended move; NaN if unvisited."""
        return nan_if_unvisited(self.values[self.chosen])


def move_statistics(moves: RootMoves) -> MoveStatistics:
    """Return the current statistics, summed over all trees of a search."""
    visits, values, estimates = moves.statistics()
    bounds = moves.bounds()
    return MoveStatistics(
        player=moves.player,
        codes=moves.codes().copy(),
        visits=visits,
        values=values if bounds is None else bounds.clamp(values),
        estimates=estimates if bounds is None else bounds.clamp(estimates),
        bounds=bounds,
        average_strategy=moves.average_strategy() if moves.agent.recommend.uses_average_strategy else None,
        chosen=moves.recommended(visits, estimates, bounds),
    )


@old_members(share="probability")
@dataclass(frozen=True)
class Child:
    """A move at the root. ``value`` is the mean reward for the player to move, clamped to the proven ``bounds``."""

    move: Move
    visits: int
    value: float  # NaN if unvisited
    estimate: float  # the value, or with RAVE a weighted mean; NaN: unknown
    bounds: tuple[float, float] | None = None  # proven bounds of the score; None unless the agent proves scores
    player: int = 0  # who makes the move
    probability: float | None = None  # in the average strategy; None unless the recommendation uses it

    @property
    def proven(self) -> float | None:
        """Proven score, or None if unknown."""
        return exact_score(self.bounds)


@old_members(rows="to_dict", shared="transposition_hits")
@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """The result of a search at the time of the report.

    Move names and the position's text are computed on first access: the game's Python code may take longer than a
    short search.
    """

    state: State  # the root
    agent: str
    seed: int
    choices: list[MoveStatistics]  # of the player to move; of every player if the root is simultaneous
    joint: bool  # whether all players move at the root
    player: int | None  # with simultaneous moves: whose move was requested; None: a joint move
    line: list[Code]  # codes of the principal variation
    root: TreeNode
    simulations: int  # in this search, without those of earlier ones in a kept tree
    nodes: int
    transposition_hits: int  # edges led to a position that was already in the table
    seconds: float
    calls: int  # forward-model calls
    depth: int  # longest path in the tree
    cut: int  # playouts that reached the ply limit
    stopped: str  # the limit reached, or "proven", "settled", "cancelled", or "enough" (a hook stopped the search)
    note: str  # note of the allocation; may be empty
    threads: int

    @property
    def game(self) -> str:
        """Name of the game."""
        return self.state.game.name

    @property
    def _own(self) -> MoveStatistics:
        return self.choices[(self.player or 0) if self.joint else 0]

    @property
    def value(self) -> float:
        """Mean reward of the recommended move for the player to move (or ``player``); NaN: unknown."""
        return self._own.value

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Proven bounds of that player's score, or None unless the agent proves scores."""
        return best_bounds(self._own.bounds)

    @property
    def proven(self) -> float | None:
        """Proven score of that player, or None if unknown."""
        return exact_score(self.bounds)

    def __repr__(self) -> str:
        return f"<Report {self.move} {self.value:.3f} after {self.simulations} simulations of {self.game}>"

    def _move(self, code: int) -> Move:
        return Move(code, self.state.game.move_name(self.state.data, code))

    @cached_property
    def move(self) -> Move | JointMove:
        """Recommended move. With simultaneous moves and no ``player`` given, a joint move.

        Each part of a joint move is recommended to its player independently of the others.
        """
        return self.joint_move if self.joint and self.player is None else self._move(self._own.code)

    @cached_property
    def joint_move(self) -> JointMove:
        """Moves recommended to all players who move at the root."""
        return JointMove(self._move(choice.code) for choice in self.choices)

    @cached_property
    def children(self) -> list[Child]:
        """Moves at the root, most visited first. With simultaneous moves and no ``player``, those of all players."""
        if self.joint and self.player is None:
            return [child for choice in self.choices for child in self._children(choice)]
        return self._children(self._own)

    def children_of(self, player: int) -> list[Child]:
        """Return the moves of one player at the root, most visited first."""
        for choice in self.choices:
            if choice.player == player:
                return self._children(choice)
        raise RamifyError(f"player {player} has no moves in this position")

    def _children(self, choice: MoveStatistics) -> list[Child]:
        bounds, probabilities = choice.bounds, choice.average_strategy
        order = np.argsort(-choice.visits, kind="stable")
        return [
            Child(
                self._move(int(choice.codes[k])),
                int(choice.visits[k]),
                nan_if_unvisited(choice.values[k]),
                nan_if_unvisited(choice.estimates[k]),
                None if bounds is None else (float(bounds.lower[k]), float(bounds.upper[k])),
                choice.player,
                None if probabilities is None else float(probabilities[k]),
            )
            for k in order
        ]

    @cached_property
    def variation(self) -> list[Move | JointMove]:
        """Principal variation: most visited moves, and the most probable visited chance outcomes."""
        return moves_of_line(self.state, self.line)

    @cached_property
    def position(self) -> str:
        """Text of the root position."""
        return self.state.text()

    def tree(self) -> TreeNode:
        """Return the root of the live tree: it changes if the search continues."""
        return self.root

    def to_dict(self) -> dict[str, Any]:
        """Return the report for JSON. Keys ``shared`` and ``share`` are old names, kept for one release."""
        return {
            "game": self.game,
            "position": self.position,
            "agent": self.agent,
            "seed": self.seed,
            "threads": self.threads,
            "move": str(self.move),
            "value": none_if_nan(self.value),
            "bounds": self.bounds,
            "proven": self.proven,
            "simulations": self.simulations,
            "nodes": self.nodes,
            "transposition_hits": self.transposition_hits,
            "shared": self.transposition_hits,
            "seconds": self.seconds,
            "simulations_per_second": self.simulations / self.seconds if self.seconds else None,
            "calls": self.calls,
            "depth": self.depth,
            "cut": self.cut,
            "stopped": self.stopped,
            "note": self.note,
            "variation": [str(move) for move in self.variation],
            **self._players_dict(),
            "children": [self._child_dict(child) for child in self.children],
        }

    def _players_dict(self) -> dict[str, Any]:
        """Return the requested player and the recommendations to all players, if the root is simultaneous."""
        if not self.joint:
            return {} if self.player is None else {"player": self.player}
        players = [
            {"player": choice.player, "move": str(self._move(choice.code)), "value": none_if_nan(choice.value)}
            for choice in self.choices
        ]
        return {"player": self.player, "joint_move": str(self.joint_move), "players": players}

    def _child_dict(self, child: Child) -> dict[str, Any]:
        row = {
            "move": str(child.move),
            "visits": child.visits,
            "value": none_if_nan(child.value),
            "estimate": none_if_nan(child.estimate),
            "bounds": child.bounds,
            "proven": child.proven,
        }
        if self.joint:
            row["player"] = child.player
        if child.probability is not None:
            row["probability"] = row["share"] = child.probability
        return row


def nan_if_unvisited(value: float) -> float:
    """Return a mean; NaN for minus infinity."""
    return float(value) if value > -np.inf else float("nan")


def best_bounds(bounds: Bounds | None) -> tuple[float, float] | None:
    """Return the bounds of the player's score from the bounds of the moves."""
    return None if bounds is None else (float(bounds.lower.max()), float(bounds.upper.max()))


def exact_score(bounds: tuple[float, float] | None) -> float | None:
    """Return the score if both bounds are equal, else None."""
    return bounds[0] if bounds is not None and bounds[0] == bounds[1] else None


def none_if_nan(value: float) -> float | None:
    """Replace NaN, which JSON lacks, by None."""
    return None if np.isnan(value) else value
