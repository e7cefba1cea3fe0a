"""GRAVE as first published: AMAF sums of an ancestor, and no exploration bonus."""

from ramify.strategies.constants import NonNegative


def mc_grave(n, t, S, R, ref: NonNegative = 100.0, bias: NonNegative = 1e-5):
    """``(1 - b) X + b Y, b = S / (n + S + bias n S)``: Cazenave 2015; Ludii calls it MC-GRAVE.

    X = t / n is the mean of the move. Y = R / S is its AMAF mean in the closest ancestor with more than ``ref``
    simulations, or in the root. Gelly and Silver 2011 found RAVE stronger without an exploration bonus and call that
    MC-RAVE; it is ``ref`` = 0. The constants are Ludii's. ``grave`` with c = 0 and final = 1 / bias is the same.
    """
    return (t * (1.0 + bias * S) + R) / (n + S + bias * n * S)
