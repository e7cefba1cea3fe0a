"""What a game of Kilothon pays."""

from __future__ import annotations

from collections.abc import Sequence


def rank_of(scores: Sequence[float], seat: int) -> float:
    """The rank of a seat, 1 for the best; equals share the mean of their ranks. Alone, one's rank is one's score."""
    own = scores[seat]
    if len(scores) == 1:
        return own
    better = sum(score > own for score in scores)
    return 1 + better + (sum(score == own for score in scores) - 1) / 2


def payoff_of(rank: float, players: int) -> float:
    """From 1 for the first to -1 for the last; alone, from 1 for a win to -1."""
    return 2 * rank - 1 if players == 1 else 1 - (rank - 1) * 2 / (players - 1)
