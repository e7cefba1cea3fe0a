"""Progressive widening: consider few children at first, and more with visits, in the order of their priors."""

from math import sqrt

from ramify.strategies.constants import NonNegative, Positive, Probability


def progressive_widening(lnN, n, m, c: NonNegative = 0.7, factor: Positive = 1.0, exponent: Probability = 0.5):
    """``m + c sqrt(ln N / n)`` among the first ``factor N^exponent`` children: Coulom 2007, Chaslot et al. 2008.

    Children are ordered by the game's priors, or by its move list if it has none. The power of N is from Couetoux et
    al. 2011; Coulom adds a child whenever N has grown by a constant factor, which is even slower.
    """
    return m + c * sqrt(lnN / n)


def progressive_widening_candidates(N, factor, exponent):
    """Return how many of the children to consider."""
    return factor * N**exponent
