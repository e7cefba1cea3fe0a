"""Policies of 002 that spend a known budget on a bare bandit, in plain Python: they are no selection rules."""

from __future__ import annotations

import math

import numpy as np

from ramify.bandits import Task


def sequential_halving(task: Task, budget: int) -> None:
    """Pull every arm that is left equally often, keep the better half, and again: Karnin, Koren and Somekh 2013.

    ceil(log2 K) rounds; in each of them floor(budget / (k ceil(log2 K))) pulls of each of the k arms left.
    """
    left = list(range(task.bandit.arms))
    rounds = max(1, math.ceil(math.log2(len(left))))
    sums = np.zeros(len(left))
    for _ in range(rounds):
        each = budget // (len(left) * rounds)
        for arm in left:
            for _ in range(each):
                sums[arm] += task.pull(arm)
        means = sums / np.maximum(task.pulls, 1)
        left = sorted(left, key=lambda arm: -float(means[arm]))[: -(-len(left) // 2)]


def sqrt_halving(task: Task, budget: int, c: float, rounds: float, least: int) -> None:
    """Algorithm 5 of 002 at a bare root: ``m + c sqrt(2 sqrt(N) / n)`` over the best k arms, k being halved on the way.

    Rewards are as the arms pay them. Before the first halving all arms have been pulled; equal arms go by their number.
    """
    count = task.bandit.arms
    sums, visits = np.zeros(count), np.zeros(count)
    order = np.arange(count)
    halvings, kept = 1, count
    for spent in range(budget):
        if kept > least and spent >= count and spent > budget * halvings / rounds:
            order = order[np.argsort(-(sums / visits)[order], kind="stable")]
            halvings += 1
            kept = max(least, kept // 2)
        if spent < count:
            arm = spent
        else:
            head = order[:kept]
            index = sums[head] / visits[head] + c * np.sqrt(2.0 * math.sqrt(spent) / visits[head])
            arm = int(head[np.argmax(index)])
        sums[arm] += task.pull(arm)
        visits[arm] += 1
