"""Planning with Gumbel noise, below the root."""

from math import exp

from ramify.core.numbers.draws import argmax
from ramify.strategies.constants import NonNegative

_MIN_PRIOR = 2.0**-126  # lower limit of priors, so that their logarithms are finite


def gumbel(K, visits, means, priors, fpu, rng, work, c_visit: NonNegative = 50.0, c_scale: NonNegative = 1.0):
    """``pi(a) - n / (1 + sum n)``, pi = softmax(ln P + (c_visit + max n) c_scale q): Danihelka et al. 2022.

    q is the mean of an arm. For arms never visited it is (v + sum n sum P q / sum P) / (1 + sum n), with the last two
    sums over visited arms. In the paper v is a network's value of the node; here it is the mean over all visits of the
    node's arms. Before the first visit the highest prior is selected.
    """
    total, most, share, value, weighted = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(K):
        if visits[k] > 0.0:
            prior = max(priors[k], _MIN_PRIOR)
            total += visits[k]
            most = max(most, visits[k])
            share += prior
            value += visits[k] * means[k]
            weighted += prior * means[k]
    mixed = (value / total + total * weighted / share) / (1.0 + total) if total > 0.0 else 0.0
    scale = (c_visit + most) * c_scale
    best = mixed
    for k in range(K):
        if visits[k] > 0.0:
            best = max(best, means[k])
    unvisited = exp(scale * (mixed - best))
    norm = 0.0
    for k in range(K):
        work[k] = max(priors[k], _MIN_PRIOR) * (exp(scale * (means[k] - best)) if visits[k] > 0.0 else unvisited)
        norm += work[k]
    for k in range(K):
        work[k] = work[k] / norm - visits[k] / (1.0 + total)
    return argmax(rng, work, K)
