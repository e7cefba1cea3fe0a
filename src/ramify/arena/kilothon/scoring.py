"""Ranks and payoffs of Kilothon."""

from __future__ import annotations

from collections.abc import Sequence


def rank_of(scores: Sequence[float], seat: int) -> float:
    """Rank of a seat, 1 for the best; ties share their mean rank. In a game for one player, its score."""
    own = scores[seat]
    if len(scores) == 1:
        return own
    better = sum(score > own for score in scores)
    return 1 + better + (sum(score == own for score in scores) - 1) / 2


def payoff_of(rank: float, players: int) -> float:
    """Payoff of a rank, from 1 (first) to -1 (last); for one player, from 1 (score 1) to -1 (score 0)."""
    return 2 * rank - 1 if players == 1 else 1 - (rank - 1) * 2 / (players - 1)
