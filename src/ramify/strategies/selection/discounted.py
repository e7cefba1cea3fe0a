"""Means that forget, for rewards that drift as the tree below them grows."""

from math import log, sqrt

from ramify.strategies.constants import Fraction, NonNegative

_FORGOTTEN = 1e-300  # the least weight of an arm


def discounted_ucb(n, seen, gained, span, c: NonNegative = 0.7, decay: Fraction = 0.999):
    """``g / w + c sqrt(ln(sum w) / w), w visits and g rewards that fade``: Kocsis and Szepesvári 2006, Discounted UCB.

    Both are multiplied by decay at every visit of the node. Garivier and Moulines 2008 analyse it; Hashimoto et al.
    2011 try it in trees, without success. With decay = 1 it is ``ucb1`` with the sum of the arms' visits for N. (``n``
    is asked for so that this is the index of one arm.)
    """
    weight = max(seen, _FORGOTTEN)
    return gained / weight + c * sqrt(span / weight)


def discounted_ucb_update(K, k, reward, seen, gained, span, own_total, decay):
    """Forget a little of every arm, and count the one taken; ``span`` is the logarithm of all that is remembered."""
    own_total[0] = decay * own_total[0] + 1.0
    logarithm = log(own_total[0])
    for j in range(K):
        seen[j] *= decay
        gained[j] *= decay
        span[j] = logarithm
    seen[k] += 1.0
    gained[k] += reward


def accelerated_ucb(lnN, n, value, c: NonNegative = 0.7, decay: Fraction = 0.999):
    """``x + c sqrt(ln N / n), x the mean of the values below by how lately they were taken``: Hashimoto et al. 2011.

    Hashimoto, Kishimoto, Yoshizoe and Ikeda, Accelerated UCT. A child has a velocity, multiplied by decay at every
    visit of the node and raised by 1 if the child is taken; a node's value is the mean of its children's, weighted by
    velocity. What the node was worth before it had children counts as one more child that is never taken again. On a
    bare bandit nothing lies below an arm, and with decay = 1 nothing is forgotten: both are ``ucb1``.
    """
    return value + c * sqrt(lnN / n)


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
            sum_each[player, k] += scores[player]
    for j in range(K):
        speed[j] *= decay
    before = speed[k]
    speed[k] += 1.0
    own_weight[0] = decay * own_weight[0] + 1.0
    for player in range(len(scores)):
        now = sum_each[player, k] / weight[k]
        change = speed[k] * now - before * counted_each[player, k]
        own_sum_each[player, 0] = decay * own_sum_each[player, 0] + change
        counted_each[player, k] = now
    value[k] = counted_each[mover, k]
