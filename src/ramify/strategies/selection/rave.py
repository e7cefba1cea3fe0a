"""Rapid action value estimation: an arm's mean mixed with the mean of simulations that played its move later.

``S`` counts the simulations through the node in which its player played the move, there or later; ``R`` sums their
rewards (``core.hooks.amaf``). Y = R / S, and X = t / n is the ordinary mean. The mixture is Fuego's: Y has the weight
W = S w_f w_i / (w_f + w_i S), X the weight n. w_i (``initial``) is the weight of the first such simulation, w_f
(``final``) the limit of their total weight. D. Tom, "Investigating UCT and RAVE" (2010), equations 2.2 and 2.3.
Recommendations use an arm's index without the bonus, i.e. with c = 0, as its estimate.

Multiplied out, the formula has fewer divisions: (n X + W Y) / (n + W) is (t a + R b) / (n a + S b) with
a = w_f + w_i S and b = w_i w_f.
"""

from math import sqrt

from ramify.strategies.constants import NonNegative, Positive

NONE = 1e-9  # replaces a count of 0


def rave(lnN, n, t, S, R, initial: Positive = 1.0, final: Positive = 32768.0, c: NonNegative = 0.7):
    """``(n X + W Y) / (n + W) + c sqrt(ln N / (n + 1))``: Gelly and Silver 2007, in Fuego's form.

    W = S final initial / (final + initial S). Tom 2010 uses initial = 1, c = 0.7 and final from 2 to 131072.
    """
    a = final + initial * S
    b = initial * final
    return (t * a + R * b) / (n * a + S * b) + c * sqrt(lnN / (n + 1.0))


def rave_max(lnN, n, t, S, R, initial: Positive = 1.0, final: Positive = 32768.0, c: NonNegative = 0.7):
    """``(n X + W max(X, Y)) / (n + W) + c sqrt(ln N / (n + 1))``: Tom 2010, against moves that RAVE makes look worse.

    The mixture with max(X, Y) equals the larger of X and the mixture with Y.
    """
    a = final + initial * S
    b = initial * final
    return max((t * a + R * b) / (n * a + S * b), t / max(n, NONE)) + c * sqrt(lnN / (n + 1.0))


def rave_only(lnN, n, S, R, c: NonNegative = 0.7):
    """``Y + c sqrt(ln N / (n + 1))``: Tom 2010, section 5.3.1; the arm's own mean is not used."""
    return R / max(S, NONE) + c * sqrt(lnN / (n + 1.0))


def rave_doubt(
    lnN, n, t, S, R, initial: Positive = 1.0, final: Positive = 32768.0, c: NonNegative = 0.7, z: Positive = 1.0
):
    """``(n X + W Y) / (n + W) + c sqrt(ln N / (n + 1)), W = S / (1 / initial + S / final + 4 S b^2)``: Ramify.

    b^2 = max((Y - X)^2 - z / n - z / S, 0) estimates the squared bias: the difference of X and Y beyond chance. A mean
    of n rewards in [0, 1] has a variance of at most 1 / 4n, so z = 1 allows two standard deviations. It replaces the
    constant bias in the weight of Gelly and Silver 2007. RAVE loses its weight for a move that it over- or
    underestimates as soon as the move's own simulations contradict it.
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

    S and R are those of the closest ancestor with more than ``ref`` simulations, or of the root. Cazenave's formula has
    initial = 1, final = 1 / ``bias`` and c = 0.
    """
    a = final + initial * S
    b = initial * final
    return (t * a + R * b) / (n * a + S * b) + c * sqrt(lnN / (n + 1.0))


def uct_fuego(lnN, n, m, c: NonNegative = 0.7):
    """``X + c sqrt(ln N / (n + 1))``: ``rave`` without RAVE, the plain UCT of Tom 2010."""
    return m + c * sqrt(lnN / (n + 1.0))
