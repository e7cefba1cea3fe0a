"""Upper confidence bounds."""

from math import sqrt


def ucb1(lnN, n, m, c=0.7):
    """``m + c sqrt(ln N / n)``: Auer, Cesa-Bianchi and Fischer 2002; in trees Kocsis and Szepesvári 2006 (UCT).

    The literature's constants on rewards in [0, 1]: c = 0.7 in Fuego, c = 0.4 in Gudmundsson and Björnsson 2013,
    c = sqrt 2 in Auer et al.
    """
    return m + c * sqrt(lnN / n)
