"""What a solver has found out about a position."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ramify.contract.game import Move


@dataclass(frozen=True)
class Solution:
    """What perfect play gives; bounds where the limits were too tight."""

    value: float | None  # of the player to move, or of the first one: loss 0, draw 1/2, win 1; None: it is not known
    lower: float  # proven bounds of the value
    upper: float
    move: Move | None  # a move that keeps the value
    variation: list[Move]  # a line of perfect play, from the first move to the end or to where proofs get dear
    values: dict[Move, tuple[float, float]]  # proven bounds of every move, if asked for; equal where it is solved
    nodes: int  # positions looked at
    seconds: float
    depth: int  # plies of the longest line looked at
    plies: int | None  # where the last search left lines open; None: it followed them to their ends
    stopped: str  # "solved", or the limit that came first: "nodes" or "depth"
    game: str
    position: str
    strategies: list[dict[Move, float]] = field(
        default_factory=list
    )  # of both, where they move at once; an equilibrium

    @property
    def solved(self) -> bool:
        """Whether the value is known."""
        return self.value is not None

    @property
    def best(self) -> list[Move]:
        """Every move that keeps the value; asks for ``moves=True``."""
        if not self.values or self.value is None:
            return [] if self.move is None else [self.move]
        return [move for move, bounds in self.values.items() if bounds == (self.value, self.value)]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
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
    """Bounds of player 0's score as bounds of the mover's."""
    return (lo, hi) if mover == 0 else (1.0 - hi, 1.0 - lo)
