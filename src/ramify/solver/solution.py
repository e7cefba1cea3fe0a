"""The result of solving a position."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ramify.old_names import old_members

if TYPE_CHECKING:
    from ramify.contract.game import Move


@old_members(data="to_dict")
@dataclass(frozen=True)
class Solution:
    """Value of a position under perfect play, or bounds if a limit was reached."""

    value: float | None  # for the player to move, else the first player: loss 0, draw 1/2, win 1; None: unknown
    lower: float  # proven bounds on the value
    upper: float
    move: Move | None  # a move that keeps the value
    variation: list[Move]  # principal variation, to the end or until proofs get too expensive
    values: dict[Move, tuple[float, float]]  # proven bounds of every move (``moves=True``); equal if solved
    nodes: int  # positions visited
    seconds: float
    depth: int  # plies of the longest line searched
    plies: int | None  # ply limit of the last search; None: it had none
    stopped: str  # "solved", or the limit reached first: "nodes" or "depth"
    game: str
    position: str
    # Equilibrium at simultaneous moves, one mixture per player.
    strategies: list[dict[Move, float]] = field(default_factory=list)

    @property
    def solved(self) -> bool:
        return self.value is not None

    @property
    def best(self) -> list[Move]:
        """All moves that keep the value. Needs ``moves=True``; otherwise only ``move``."""
        if not self.values or self.value is None:
            return [] if self.move is None else [self.move]
        return [move for move, bounds in self.values.items() if bounds == (self.value, self.value)]

    def to_dict(self) -> dict[str, Any]:
        """Return all fields as plain values, for JSON."""
        return {
            "game": self.game,
            "position": self.position,
            "value": self.value,
            "lower": self.lower,
            "upper": self.upper,
            "move": None if self.move is None else self.move.name,
            "variation": [move.name for move in self.variation],
            "values": {move.name: {"lower": lo, "upper": hi} for move, (lo, hi) in self.values.items()},
            "nodes": self.nodes,
            "seconds": self.seconds,
            "depth": self.depth,
            "plies": self.plies,
            "stopped": self.stopped,
            "strategies": [{move.name: p for move, p in mixed.items()} for mixed in self.strategies],
        }


def for_mover(mover: int, lo: float, hi: float) -> tuple[float, float]:
    """Convert bounds on player 0's score to bounds on the mover's."""
    return (lo, hi) if mover == 0 else (1.0 - hi, 1.0 - lo)
