"""Rapid action value estimation: the mean of an arm mixed with what its move brought when it was made later.

``S`` counts the simulations through the node in which its player made the move there or later, ``R`` sums what these
brought (``core.hooks.amaf``): Y = R / S, and X = t / n is the mean as ever. The mixture is Fuego's, in which Y has the
weight W = S w_f w_i / (w_f + w_i S) against n of the mean: w_i (``initial``) is what one such simulation weighs at
first, w_f (``final``) what all of them can weigh at most. D. Tom, "Investigating UCT and RAVE" (2010), equations 2.2
and 2.3. What an arm is estimated at, for the move to return, is its index without the bonus: with c = 0.

A formula multiplied out has fewer divisions: (n X + W Y) / (n + W) is (t a + R b) / (n a + S b) with a = w_f + w_i S
and b = w_i w_f.
"""

from math import sqrt

from ramify.strategies.constants import NonNegative, Positive

NONE = 1e-9  # instead of a count of zero


def rave(lnN, n, t, S, R, initial: Positive = 1.0, final: Positive = 32768.0, c: NonNegative = 0.7):
    """``(n X + W Y) / (n + W) + c sqrt(ln N / (n + 1))``: Gelly and Silver 2007, in Fuego's form.

    W = S final initial / (final + initial S). Tom 2010 has initial = 1, c = 0.7 and final from 2 to 131072.
    """
    a = final + initial * S
    b = initial * final
    return (t * a + R * b) / (n * a + S * b) + c * sqrt(lnN / (n + 1.0))


def rave_max(lnN, n, t, S, R, initial: Positive = 1.0, final: Positive = 32768.0, c: NonNegative = 0.7):
    """``(n X + W max(X, Y)) / (n + W) + c sqrt(ln N / (n + 1))``: Tom 2010, against moves that RAVE makes look worse.

    The mixture with max(X, Y) is the larger of X and of the mixture with Y.
    """
    a = final + initial * S
    b = initial * final
    return max((t * a + R * b) / (n * a + S * b), t / max(n, NONE)) + c * sqrt(lnN / (n + 1.0))


def rave_only(lnN, n, S, R, c: NonNegative = 0.7):
    """``Y + c sqrt(ln N / (n + 1))``: Tom 2010, section 5.3.1; the mean of the arm itself is not used."""
    return R / max(S, NONE) + c * sqrt(lnN / (n + 1.0))


def rave_doubt(
    lnN, n, t, S, R, initial: Positive = 1.0, final: Positive = 32768.0, c: NonNegative = 0.7, z: Positive = 1.0
):
    """``(n X + W Y) / (n + W) + c sqrt(ln N / (n + 1)), W = S / (1 / initial + S / final + 4 S b^2)``: Ramify.

    b^2 = max((Y - X)^2 - z / n - z / S, 0) is how far X and Y are apart beyond what chance explains: a mean of n
    rewards in [0, 1] has a variance of at most 1 / 4n, so z = 1 allows two standard deviations. It takes the place of
    the constant bias in the weight of Gelly and Silver 2007. A move that RAVE makes look better or worse than it is
    loses RAVE's weight as soon as its own simulations contradict it.
    """
    X = t / max(n, NONE)
    Y = R / max(S, NONE)
    b2 = max((Y - X) * (Y - X) - z / max(n, NONE) - z / max(S, NONE), 0.0)
    W = S / (1.0 / initial + S / final + 4.0 * S * b2)
    return (t + W * Y) / (n + W) + c * sqrt(lnN / (n + 1.0))


def grave(
    lnN, n, t, S, R, ref: NonNegative = 50.0, initial: Positive = 1.0, final: Positive = 32768.0, c: NonNegative = 0.0
):
    """``(n X + W Y) / (n + W) + c sqrt(ln N / (n + 1)), Y of an ancestor``: Cazenave 2015.

    S and R are those of the closest node on the way down that has seen more than ``ref`` simulations, or of the root.
    Cazenave's ``bias`` is 1 / final, with initial = 1 and without the bonus.
    """
    a = final + initial * S
    b = initial * final
    return (t * a + R * b) / (n * a + S * b) + c * sqrt(lnN / (n + 1.0))


def uct_fuego(lnN, n, m, c: NonNegative = 0.7):
    """``X + c sqrt(ln N / (n + 1))``: what rave is without RAVE, plain UCT in Tom 2010."""
    return m + c * sqrt(lnN / (n + 1.0))
