"""Progressive history: a move's mean result in the whole search, as a bonus that fades as it loses."""

from math import sqrt

from ramify.strategies.constants import NonNegative

_UNKNOWN = 0.5  # mean of a move that was never played: a draw


def progressive_history(
    lnN, n, m, t, move_class, made_by_class, won_by_class, fpu, c: NonNegative = 0.7, weight: NonNegative = 3.0
):
    """``m + c sqrt(ln N / n) + h W / (n - t + 1)``: Nijssen and Winands 2011.

    h is the mean result of the player's moves of that class over all simulations, in the tree and in the playout.
    n - t is the number of losses, at least 0. The history is kept from move to move of a game. W = ``weight`` is 3 as
    in Ludii, following the best values of the paper. A move never visited has the index fpu + h W: moves are first
    visited in the order of their histories.
    """
    made = made_by_class[move_class]
    history = won_by_class[move_class] / made if made > 0.0 else _UNKNOWN
    bonus = c * sqrt(lnN / n) if n > 0.0 else 0.0
    return m + bonus + history * weight / (max(n - t, 0.0) + 1.0)


def progressive_history_after(moves_made, scores, made_by_class, won_by_class):
    """Credit every move of the simulation with its player's score."""
    classes = len(made_by_class) // len(scores)
    for k in range(len(moves_made)):
        made = moves_made[k]
        made_by_class[made] += 1.0
        won_by_class[made] += scores[made // classes]
