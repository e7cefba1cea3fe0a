"""How a game ends, in the words that rows keep."""

from __future__ import annotations

from dataclasses import dataclass

OVER, LIMIT = "over", "limit"  # by its rules, or as a draw for its length
TIME, FORFEIT, RESIGNED = "time", "forfeit", "resigned"  # or because a player lost on time, was at fault, or gave up


@dataclass(frozen=True)
class IrregularLoss:
    """Who has lost otherwise than by the rules of the game, and how."""

    seat: int
    ended: str  # TIME, FORFEIT or RESIGNED
    reason: str = ""
