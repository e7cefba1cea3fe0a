"""How a game ended, in the values stored in rows."""

from __future__ import annotations

from dataclasses import dataclass

FINISHED, LIMIT = "over", "limit"  # by the rules; as a draw at the move limit
TIME, FORFEIT, RESIGNED = "time", "forfeit", "resigned"  # a player lost on time, by a fault, or by resignation


@dataclass(frozen=True)
class IrregularLoss:
    """A loss on time, by a fault or by resignation."""

    seat: int
    ended: str  # TIME, FORFEIT or RESIGNED
    reason: str = ""
