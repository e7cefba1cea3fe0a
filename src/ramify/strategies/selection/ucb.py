"""Upper confidence bounds: an arm's mean plus a bonus that shrinks with its visits."""

from math import sqrt

from ramify.core.vector.lanes import anywhere, where
from ramify.strategies.constants import NonNegative, Positive


def ucb1(lnN, n, m, c: NonNegative = 0.7):
    """``m + c sqrt(ln N / n)``: Auer, Cesa-Bianchi and Fischer 2002; in trees Kocsis and Szepesvári 2006 (UCT).

    Values of c for rewards in [0, 1]: sqrt 2 (Auer et al.), 0.7 (Fuego), 0.4 (Gudmundsson and Björnsson 2013). Perick
    et al. 2012 write sqrt(C ln N / n), so c = sqrt C; their tuned C = 3.52 is c = 1.876. Constants for rewards in
    [-1, 1] must be halved: Putrich and Meneguzzi 2023 print 2 C sqrt(2 ln N / n) with C = 1 / sqrt 2, i.e. c = 1, but
    their figures were made with 0.7 sqrt(2 ln N / n), i.e. c = 0.495.
    """
    return m + c * sqrt(lnN / n)


def ucb1_parent(lnN, n, m, m_all, c: NonNegative = 0.7071067811865476):
    """``m + c sqrt(ln N / max(n, 1))``, m being the mean of the node for moves never visited: UCB1 as in Ludii.

    An unvisited move is valued at its parent's mean, so it is first visited once the visited ones disappoint. The
    agent's first-play urgency is ignored. The parent's mean excludes the simulation that expanded it. Ludii's
    C = sqrt 2 for rewards in [-1, 1] is c = sqrt 1/2.
    """
    return where(n > 0.0, m, m_all) + c * sqrt(lnN / max(n, 1.0))


def ucb1_tuned(lnN, n, m, s):
    """``m + sqrt(min(1/4, s^2 + sqrt(2 ln N / n)) ln N / n)``: Auer, Cesa-Bianchi and Fischer 2002.

    1/4 is the largest variance of a reward in [0, 1]. If ln N / n >= 1/32, the inner root alone is at least 1/4.
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
    """``m + c sqrt(2 sqrt(N) / n)``: Tolpin and Shimony 2012; minimizes simple rather than cumulative regret.

    Putrich and Meneguzzi 2023 print 2 c sqrt(2 sqrt(N) / n) with c = 1 / sqrt 2 for rewards in [-1, 1], which is this
    formula for rewards in [0, 1]; their figures were made with 0.7 sqrt(2 sqrt(N) / n), i.e. c = 0.35.
    """
    return m + c * sqrt(2.0 * sqrt(N) / n)


def moss(N, lnN, K, lnK, n, lnn, m, as_printed=False):
    """``m + sqrt(max(ln(N / (K n)), 0) / n)``: Audibert and Bubeck 2009.

    N, the visits so far, replaces their known horizon, as in Perick et al. 2012. These print ln(n / (K N)) / N, which
    ``as_printed`` selects: it is never positive, so the arm of best mean is selected.
    """
    if as_printed:
        return m + sqrt(max(lnn - lnK - lnN, 0.0) / N)
    excess = where(K * n < N, lnN - lnK - lnn, 0.0)  # exactly 0 if K n >= N; rounding could leave a positive value
    return m + sqrt(max(excess, 0.0) / n)
