"""Progressive bias: prior knowledge as a bonus that fades with visits."""

from math import sqrt

from ramify.core.vector.lanes import where
from ramify.strategies.constants import NonNegative


def progressive_bias(lnN, n, m, P, fpu, c: NonNegative = 0.7, weight: NonNegative = 1.0):
    """``m + c sqrt(ln N / n) + H / (n + 1)``: Chaslot, Winands, van den Herik, Uiterwijk and Bouzy 2008.

    H = weight P, where P is the prior of the move: the game's (its function ``priors``), or uniform. The paper's
    heuristic is in points of its Go program, so the default weight is ours. A move never visited has the index fpu + H:
    moves are first visited in the order of their priors.
    """
    return m + where(n > 0.0, c * sqrt(lnN / max(n, 1.0)), 0.0) + weight * P / (n + 1.0)
