"""Uniform selection, and epsilon-greedy."""

from math import isnan
from typing import Annotated

from ramify.core.numbers.draws import argmax
from ramify.core.numbers.rng import below, uniform
from ramify.strategies.constants import Positive, ValueRange


def random(K, rng):
    """``each arm with probability 1 / K``: the baseline of Perick et al. 2012."""
    return below(rng, K)


def epsilon_greedy(
    N,
    K,
    means,
    rng,
    c: Positive = 1.0,
    d: Annotated[float, ValueRange(1e-6, open=False)] = 1.0,  # its square divides
    eps: Annotated[float | None, ValueRange(0.0, 1.0, open=False)] = None,
):
    """``random arm with probability min(1, c K / (d^2 N)), else the best mean``: Auer, Cesa-Bianchi and Fischer 2002.

    Tuned for Tron by Perick et al. 2012: c = 0.8, d = 0.12. A fixed ``eps`` replaces the formula: eps = 0.5 at the root
    is the 1/2-greedy of Tolpin and Shimony 2012.
    """
    chance = c * K / (d * d * max(N, 1.0)) if isnan(eps) else eps
    if uniform(rng) < chance:
        return below(rng, K)
    return argmax(rng, means, K)
