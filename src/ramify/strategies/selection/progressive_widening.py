"""Few children at first, more as the node is visited: those of the highest prior."""

from math import sqrt

from ramify.strategies.constants import NonNegative, Positive, Probability


def progressive_widening(lnN, n, m, c: NonNegative = 0.7, factor: Positive = 1.0, exponent: Probability = 0.5):
    """``m + c sqrt(ln N / n)`` among the first ``factor N^exponent`` children: Coulom 2007, Chaslot et al. 2008.

    Children stand in the order of the game's priors, or in that of its moves where it has none. The power of N is that
    of Couetoux et al. 2011; Coulom adds a child whenever N has grown by a factor, which is slower still.
    """
    return m + c * sqrt(lnN / n)


def progressive_widening_candidates(N, factor, exponent):
    """How many of the children are considered."""
    return factor * N**exponent
