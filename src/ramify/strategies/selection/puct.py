"""PUCT: exploration guided by priors."""

from math import sqrt

from ramify.strategies.constants import NonNegative


def puct(N, n, m, P, c: NonNegative = 1.25, fpu=0.5):
    """``m + c P sqrt(N) / (1 + n)``: Silver et al. 2017 (AlphaGo Zero), after Rosin 2011; P is the prior of the move.

    Priors are uniform unless the game has a function ``priors``. The formula also applies to moves never visited: their
    mean is the policy's own ``fpu`` (default: a draw), not the agent's. Halve constants c meant for rewards in [-1, 1].
    """
    return m + (c * sqrt(N)) * P / (1.0 + n)
