"""Upper confidence bounds: the mean of an arm and a bonus that shrinks as it is visited."""

from math import sqrt

from ramify.core.vector.lanes import anywhere, where
from ramify.strategies.constants import NonNegative, Positive


def ucb1(lnN, n, m, c: NonNegative = 0.7):
    """``m + c sqrt(ln N / n)``: Auer, Cesa-Bianchi and Fischer 2002; in trees Kocsis and Szepesvári 2006 (UCT).

    The literature's constants on rewards in [0, 1]: c = 0.7 in Fuego, c = 0.4 in Gudmundsson and Björnsson 2013,
    c = sqrt 2 in Auer et al. Perick et al. 2012 write sqrt(C ln N / n): their C = 2 is c = sqrt 2, their tuned 3.52 is
    c = 1.876. On rewards in [-1, 1] a constant counts half: 2 sqrt(ln N / n), as printed by the time-constrained
    general game players of 2023 with 2 C sqrt(2 ln N / n) and C = 1 / sqrt 2, is c = 1; the 0.7 sqrt(2 ln N / n) that
    made their figures is c = 0.495.
    """
    return m + c * sqrt(lnN / n)


def ucb1_parent(lnN, n, m, m_all, c: NonNegative = 0.7071067811865476):
    """``m + c sqrt(ln N / max(n, 1))``, m being the mean of the node for moves never visited: UCB1 as in Ludii.

    So a move is first tried when the others disappoint, and not before any other is tried again; the agent's first-play
    urgency is not used. The mean of the node is that over its moves, the simulation that added them left out. Ludii's
    C = sqrt 2 on rewards in [-1, 1] is c = sqrt 1/2.
    """
    return where(n > 0.0, m, m_all) + c * sqrt(lnN / max(n, 1.0))


def ucb1_tuned(lnN, n, m, s):
    """``m + sqrt(min(1/4, s^2 + sqrt(2 ln N / n)) ln N / n)``: Auer, Cesa-Bianchi and Fischer 2002.

    1/4 is the largest variance of a reward in [0, 1]. Where ln N / n is 1/32 or more, the inner root alone is as much.
    """
    share = lnN / n
    if anywhere(share < 1.0 / 32.0):
        return m + sqrt(min(0.25, s * s + sqrt(2.0 * share)) * share)
    return m + sqrt(0.25 * share)


def ucb_v(lnN, n, m, s, c: NonNegative = 1.0, z: Positive = 1.0):
    """``m + sqrt(2 s^2 z ln N / n) + 3 c z ln N / n``: Audibert, Munos and Szepesvári 2007.

    Tuned for Tron by Perick et al. 2012: c = 1.68, z = 0.54.
    """
    share = z * lnN / n
    return m + s * sqrt(2.0 * share) + 3.0 * c * share


def ucb_minimal(n, m, c1: NonNegative = 2.5, c2: Positive = 1.0):
    """``m + c1 / n^c2``: Maes, Wehenkel and Ernst 2011, found by automatic search; c2 by Perick et al. 2012.

    Tuned for Tron by Perick et al. 2012: c1 = 8.40, c2 = 1.80.
    """
    return m + c1 / (n if c2 == 1.0 else n**c2)


def ucb_sqrt(N, n, m, c: NonNegative = 0.7071067811865476):
    """``m + c sqrt(2 sqrt(N) / n)``: Tolpin and Shimony 2012, to lose less at the end rather than on the way.

    The time-constrained general game players of 2023 print 2 c sqrt(2 sqrt(N) / n) on rewards in [-1, 1], which is this
    on rewards in [0, 1], c = 1 / sqrt 2 as there; the 0.7 sqrt(2 sqrt(N) / n) that made their figures is c = 0.35.
    """
    return m + c * sqrt(2.0 * sqrt(N) / n)


def moss(N, lnN, K, lnK, n, lnn, m):
    """``m + sqrt(max(ln(N / (K n)), 0) / n)``: Audibert and Bubeck 2009.

    N, the visits so far, stands for their known horizon, as in Perick et al. 2012, who print the fraction upside down.
    """
    excess = where(K * n < N, lnN - lnK - lnn, 0.0)  # rounding may leave a little more than 0 where it is 0
    return m + sqrt(max(excess, 0.0) / n)
