"""Discounted means, for rewards that drift as the tree below grows."""

from math import log, sqrt

from ramify.strategies.constants import Fraction, NonNegative

_MIN_WEIGHT = 1e-300  # of an arm


def discounted_ucb(n, weight_sum, reward_sum, log_weight, c: NonNegative = 0.7, decay: Fraction = 0.999):
    """``g / w + c sqrt(ln(sum w) / w), w discounted visits, g rewards``: Kocsis and Szepesvári 2006, Discounted UCB.

    Both are multiplied by decay at every visit of the node. Garivier and Moulines 2008 analyse it; Hashimoto et al.
    2011 try it in trees, without success. With decay = 1 it is ``ucb1`` with the sum of the arms' visits as N. (Asking
    for ``n`` makes this an index of one arm.)
    """
    weight = max(weight_sum, _MIN_WEIGHT)
    return reward_sum / weight + c * sqrt(log_weight / weight)


def discounted_ucb_update(K, k, reward, weight_sum, reward_sum, log_weight, own_total, decay):
    """Discount every arm and credit the selected one. ``log_weight`` is the logarithm of the arms' total weight."""
    own_total[0] = decay * own_total[0] + 1.0
    logarithm = log(own_total[0])
    for j in range(K):
        weight_sum[j] *= decay
        reward_sum[j] *= decay
        log_weight[j] = logarithm
    weight_sum[k] += 1.0
    reward_sum[k] += reward


def accelerated_ucb(lnN, n, value, c: NonNegative = 0.7, decay: Fraction = 0.999):
    """``x + c sqrt(ln N / n), x the mean of the children's values weighted by recency``: Hashimoto et al. 2011.

    Hashimoto, Kishimoto, Yoshizoe and Ikeda, Accelerated UCT. A child has a velocity, multiplied by decay at every
    visit of the node and raised by 1 if the child is selected. A node's value is the mean of its children's, weighted
    by velocity. The node's value before it was expanded counts as one more child that is never selected again. On a
    bare bandit, where arms have no children, and with decay = 1 it is ``ucb1``.
    """
    return value + c * sqrt(lnN / n)


def accelerated_ucb_update(
    K, k, leaf, mover, scores, value, speed, weight, sum_each, counted_each, own_weight, own_sum_each, decay
):
    """Credit the selected arm and update the node's value, for every player.

    A node's value is ``sum_each / weight``: over its leaf visits at first, over its children's velocities later. Only
    the changed child is updated in the sum over children; ``counted_each`` is the value it is included with.
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
