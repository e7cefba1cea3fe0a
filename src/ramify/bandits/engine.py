"""The bandit loop: choose an arm, pull it, learn. Selection and back-up are those of the tree (``core.search.steps``).

A bandit is a root whose children are the arms. Every arm of every task has a stream of random numbers of its own, so
its j-th pull pays the same whatever the policy does: two policies with one seed meet the same luck.
"""

from typing import NamedTuple

import numpy as np

from ramify.core.kernels.compiling import entry, jit
from ramify.core.kernels.pointers import array, call, record, records
from ramify.core.numbers.rng import mix
from ramify.core.search.episode import EPISODE
from ramify.core.search.plan import COUNTERS
from ramify.core.search.steps import choose, credit_path, run_simulation_hooks
from ramify.core.search.tree import NODE, ROOT, UNEXPANDED, clear_columns

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)

MAX, ROBUST = 0, 1  # how the arm to return is recommended: by mean or by visits


class BanditTable(NamedTuple):
    """A bandit as the loop sees it: sizes, the address of its pull and of its numbers."""

    arms: int
    width: int  # numbers of each arm
    parameters: int
    pull: int  # (parameters, width, arm, pulls before, rng, out)
    worth: int  # of each arm: its expected reward, or what it will pay in the end
    priors: int
    scale: int  # the lowest and the highest reward, to be 0 and 1 for the policy


class ResultArrays(NamedTuple):
    """Where results are written: a row a task, a column a time."""

    times: int
    count: int  # of times
    regret: int
    chosen: int
    pulls: int


@jit
def stream(seed, number):
    """The state of one of many unrelated generators of a seed."""
    return mix(mix(np.uint64(seed)) + np.uint64(number) * _GOLDEN)


@entry
def run_tasks(bandit, plan, memory, ledger, settings, seed, first, last):
    """Run tasks ``first`` to ``last - 1``.

    ``settings`` are pulls, recommendation, place and size of a memory, and the place of RAVE's sums or 0.
    """
    pulls, recommend, kept_memory, kept_size, sums = settings
    nodes = records(memory.nodes, memory.capacity, NODE)
    for task in range(first, last):
        begin(bandit, memory, nodes, seed, task)
        array(kept_memory, kept_size, np.float64)[:] = 0.0
        play(bandit, plan, memory, nodes, ledger, task, pulls, recommend, sums)
        counts = array(ledger.pulls + 8 * task * bandit.arms, bandit.arms, np.int64)
        for k in range(bandit.arms):
            counts[k] = nodes[1 + k].visits


@jit
def play(bandit, plan, memory, nodes, ledger, task, pulls, recommend, sums):
    """Pull so many times, and write down how it stands at each of the times."""
    worth = array(bandit.worth, bandit.arms, np.float64)
    times = array(ledger.times, ledger.count, np.int64)
    regrets = array(ledger.regret + 8 * task * ledger.count, ledger.count, np.float64)
    choices = array(ledger.chosen + 8 * task * ledger.count, ledger.count, np.int64)
    best = worth[0]
    for k in range(1, bandit.arms):
        best = max(best, worth[k])
    regret = 0.0
    seen = 0
    for time in range(1, pulls + 1):
        regret += best - worth[pull(bandit, plan, memory, nodes, sums)]
        if seen < ledger.count and times[seen] == time:
            regrets[seen] = regret
            choices[seen] = recommended(nodes, bandit.arms, recommend)
            seen += 1


@jit
def pull(bandit, plan, memory, nodes, sums):
    """Choose an arm, pull it and learn; its number, which is its place unless arms were reordered.

    Nothing comes after a pull, so to RAVE all that was ever made of an arm's move is the pulls of that arm.
    """
    path = array(memory.path, 2, np.int64)
    scores = array(memory.scores, 1, np.float64)
    scale = array(bandit.scale, 2, np.float64)
    record(memory.episode, EPISODE).depth = 1
    k = choose(plan.root, memory, ROOT, nodes[ROOT], nodes[ROOT].visits)
    arm = np.int64(nodes[1 + k].move)
    before = np.int64(nodes[1 + k].visits)
    call(bandit.pull, (bandit.parameters, bandit.width, arm, before, memory.rng + 8 * (1 + arm), memory.scores))
    scores[0] = (scores[0] - scale[0]) / (scale[1] - scale[0])
    path[1] = 1 + k
    credit_path(memory, 1)
    run_simulation_hooks(plan.on_simulation, memory.episode)
    if sums:
        array(sums + 8 * (1 + k), 1, np.float64)[0] += 1.0
        array(sums + 8 * (memory.stride + 1 + k), 1, np.float64)[0] += scores[0]
    return arm


@entry
def begin_task(bandit, memory, kept_memory, kept_size, seed, task):
    """Begin a task that ``pull_more`` goes on with."""
    begin(bandit, memory, records(memory.nodes, memory.capacity, NODE), seed, task)
    array(kept_memory, kept_size, np.float64)[:] = 0.0


@entry
def pull_more(bandit, plan, memory, pulls, sums):
    """Pull so many times more."""
    counters = record(memory.counters, COUNTERS)
    nodes = records(memory.nodes, memory.capacity, NODE)
    for _ in range(pulls):
        pull(bandit, plan, memory, nodes, sums)
        counters.simulations += 1
        counters.calls += 1


@jit
def begin(bandit, memory, nodes, seed, task):
    """Forget everything, and seed the generators of the policy and of each arm."""
    arms = bandit.arms
    rng = array(memory.rng, 1 + arms, np.uint64)
    priors = array(bandit.priors, arms, np.float64)
    for k in range(1 + arms):
        rng[k] = stream(seed, task * (1 + arms) + k)
        node = nodes[k]
        node.first = UNEXPANDED
        node.live = 0
        node.hidden = 0
        node.move = k - 1
        node.visits = 0
        node.total = 0.0
        node.chance = priors[max(k - 1, 0)]
        node.mover = 0
    nodes[ROOT].first = 1
    nodes[ROOT].live = arms
    clear_columns(memory.columns, memory.rows, memory.stride, 0, 1 + arms)


@jit
def recommended(nodes, arms, recommend):
    """The arm to return: highest mean, then most visits; or the other way round. The lower one of equals."""
    best = -1
    for k in range(arms):
        n = nodes[1 + k].visits
        if n > 0:
            if best < 0:
                best = k
                continue
            other = nodes[1 + best].visits
            gain = nodes[1 + k].total / n - nodes[1 + best].total / other
            more = n - other
            if recommend == ROBUST:
                better = more > 0 or (more == 0 and gain > 0.0)
            else:
                better = gain > 0.0 or (gain == 0.0 and more > 0)
            if better:
                best = k
    return best
