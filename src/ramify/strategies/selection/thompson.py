"""Thompson sampling."""

from ramify.core.numbers.draws import betas
from ramify.strategies.constants import Positive


def thompson(N, K, visits, means, rng, indices, c1: Positive = 1.0, c2: Positive = 1.0, as_printed=False):
    """``a sample of Beta(c1 + m n, c2 + (1 - m) n)``: Thompson 1933; this form Chapelle and Li 2011.

    A reward between 0 and 1 counts as that fraction of a success. Perick et al. 2012 tuned c1 = 9.6, c2 = 1.32 for
    Tron. They print Beta(c1 + m N, c2 + (1 - m) n), which ``as_printed`` selects: it favours arms with few visits.
    """
    for k in range(K):
        successes = max(means[k] * visits[k], 0.0)
        means[k] = c1 + (max(means[k] * N, 0.0) if as_printed else successes)
        visits[k] = c2 + max(visits[k] - successes, 0.0)
    betas(rng, means, visits, indices, K)
