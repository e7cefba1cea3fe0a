"""GRAVE as first printed: an ancestor's sums over all moves as first, and no bonus for exploration."""

from ramify.strategies.constants import NonNegative


def mc_grave(n, t, S, R, ref: NonNegative = 100.0, bias: NonNegative = 1e-5):
    """``(1 - b) X + b Y, b = S / (n + S + bias n S)``: Cazenave 2015; Ludii calls it MC-GRAVE.

    X = t / n is the mean of the move, and Y = R / S its mean over all moves as first of the closest node on the way
    down that has seen more than ``ref`` simulations, or of the root. Gelly and Silver 2011 found RAVE stronger without
    a bonus for exploration, which they call MC-RAVE: that is ``ref`` = 0. The constants are Ludii's. ``grave`` with
    c = 0 and final = 1 / bias is the same.
    """
    return (t * (1.0 + bias * S) + R) / (n + S + bias * n * S)
