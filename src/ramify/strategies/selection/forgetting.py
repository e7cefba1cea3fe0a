"""Means that forget, for rewards that drift as the tree below them grows."""

from math import inf, log, sqrt

from ramify.core.draws import argmax
from ramify.strategies.selection.constants import Share


def discounted_ucb(K, visits, seen, gained, fpu, rng, work, c=0.7, decay: Share = 0.999):
    """``g/w + c sqrt(ln sum w / w), w and g visits and rewards times decay a visit of the node``: Garivier 2008.

    Kocsis and Szepesvári 2006 name it; the analysis is Garivier and Moulines 2008. Hashimoto et al. 2011 try it in
    trees, without success. With decay = 1 it is ``ucb1`` with the sum of the arms' visits for N.
    """
    total = 0.0
    for k in range(K):
        total += seen[k]
    logarithm = log(max(total, 1.0))
    for k in range(K):
        if visits[k] == 0.0:
            work[k] = fpu
        elif seen[k] > 0.0:
            work[k] = gained[k] / seen[k] + c * sqrt(logarithm / seen[k])
        else:  # forgotten to the last bit
            work[k] = inf
    return argmax(rng, work, K)


def discounted_ucb_update(K, k, reward, seen, gained, decay):
    """Forget a little of every arm, and count the one taken."""
    for j in range(K):
        seen[j] *= decay
        gained[j] *= decay
    seen[k] += 1.0
    gained[k] += reward


def accelerated_ucb(N, n, value, c=0.7, decay: Share = 0.999):
    """``x + c sqrt(ln N / n), x the mean of the arms below by their velocity v; v = decay v, + 1 if taken``: Hashimoto.

    Hashimoto, Kishimoto, Yoshizoe and Ikeda 2011, Accelerated UCT: the value of a node is the mean of its children's
    values, weighted by how often they were taken lately. What the node was worth before it had children counts as
    one more child that is never taken again. On a bare bandit there is nothing below an arm, and with decay = 1
    nothing is forgotten: both are ``ucb1``.
    """
    return value + c * sqrt(log(N) / n)


def accelerated_ucb_update(
    K, k, leaf, mover, scores, value, speed, weight, sum_each, counted_each, own_weight, own_sum_each, decay
):
    """Count the arm taken, and set the node's own value, for every player.

    A node's value is ``sum_each / weight``: over its leaf visits at first, over its children's velocities later. The
    sum over the children is kept up to date by the one that changed; ``counted_each`` is what it counts for.
    """
    if leaf:
        weight[k] += 1.0
        for player in range(len(scores)):
            sum_each[k, player] += scores[player]
    for j in range(K):
        speed[j] *= decay
    before = speed[k]
    speed[k] += 1.0
    own_weight[0] = decay * own_weight[0] + 1.0
    for player in range(len(scores)):
        now = sum_each[k, player] / weight[k]
        change = speed[k] * now - before * counted_each[k, player]
        own_sum_each[player] = decay * own_sum_each[player] + change
        counted_each[k, player] = now
    value[k] = counted_each[k, mover]
