"""Prior knowledge of moves."""

from math import sqrt

from ramify.strategies.constants import NonNegative


def puct(N, n, m, P, c: NonNegative = 1.25, fpu=0.5):
    """``m + c P sqrt(N) / (1 + n)``: Silver et al. 2017 (AlphaGo Zero), after Rosin 2011; P is the prior of the move.

    Priors are even unless the game gives some (its function ``priors``). The formula holds for moves never visited,
    too: their mean is the policy's own ``fpu``, a draw; the agent's is not used. On rewards in [-1, 1] c counts half.
    """
    return m + (c * sqrt(N)) * P / (1.0 + n)
