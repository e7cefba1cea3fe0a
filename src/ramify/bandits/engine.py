"""The bandit loop: choose an arm, pull it, learn. Selection and backup are those of the tree (``core.search.steps``).

A bandit is a root whose children are the arms. Every arm of every task has its own random stream, so its j-th pull pays
the same whatever the policy does: policies run with the same seed can be compared pairwise.
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

MAX, ROBUST = 0, 1  # recommend an arm by mean, or by visits


class BanditTable(NamedTuple):
    """A bandit for the compiled loop: sizes, and the addresses of its reward kernel and arrays."""

    arms: int
    width: int  # numbers per arm
    parameters: int
    pull: int  # (parameters, width, arm, pulls before, rng, out)
    means: int  # expected reward of each arm, or the reward at the end of its path
    priors: int
    scale: int  # the rewards that policies see as 0 and 1


class ResultArrays(NamedTuple):
    """Addresses of the result arrays: one row per task, one column per checkpoint."""

    times: int
    count: int  # number of checkpoints
    regret: int
    chosen: int
    pulls: int


@jit
def stream(seed, number):
    """Return the initial state of the ``number``-th independent generator of a seed."""
    return mix(mix(np.uint64(seed)) + np.uint64(number) * _GOLDEN)


@entry
def run_tasks(bandit, plan, memory, results, settings, seed, first, last):
    """Run tasks ``first`` to ``last - 1``.

    ``settings``: pulls, recommendation, address and size of the policy's memory, address of RAVE's sums or 0.
    """
    pulls, recommend, kept_memory, kept_size, sums = settings
    nodes = records(memory.nodes, memory.capacity, NODE)
    for task in range(first, last):
        begin(bandit, memory, nodes, seed, task)
        array(kept_memory, kept_size, np.float64)[:] = 0.0
        play(bandit, plan, memory, nodes, results, task, pulls, recommend, sums)
        counts = array(results.pulls + 8 * task * bandit.arms, bandit.arms, np.int64)
        for k in range(bandit.arms):
            counts[k] = nodes[1 + k].visits


@jit
def play(bandit, plan, memory, nodes, results, task, pulls, recommend, sums):
    """Pull ``pulls`` times and record regret and recommendation at each checkpoint."""
    means = array(bandit.means, bandit.arms, np.float64)
    times = array(results.times, results.count, np.int64)
    regrets = array(results.regret + 8 * task * results.count, results.count, np.float64)
    choices = array(results.chosen + 8 * task * results.count, results.count, np.int64)
    best = means[0]
    for k in range(1, bandit.arms):
        best = max(best, means[k])
    regret = 0.0
    seen = 0
    for time in range(1, pulls + 1):
        regret += best - means[pull(bandit, plan, memory, nodes, sums)]
        if seen < results.count and times[seen] == time:
            regrets[seen] = regret
            choices[seen] = recommended(nodes, bandit.arms, recommend)
            seen += 1


@jit
def pull(bandit, plan, memory, nodes, sums):
    """Choose an arm, pull it and learn. Return its number, which is its index unless arms were reordered.

    No move follows a pull, so an arm's AMAF sums are those of its own pulls.
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
    """Begin a task that ``pull_more`` continues."""
    begin(bandit, memory, records(memory.nodes, memory.capacity, NODE), seed, task)
    array(kept_memory, kept_size, np.float64)[:] = 0.0


@entry
def pull_more(bandit, plan, memory, pulls, sums):
    """Pull ``pulls`` more times."""
    counters = record(memory.counters, COUNTERS)
    nodes = records(memory.nodes, memory.capacity, NODE)
    for _ in range(pulls):
        pull(bandit, plan, memory, nodes, sums)
        counters.simulations += 1
        counters.calls += 1


@jit
def begin(bandit, memory, nodes, seed, task):
    """Clear all statistics, and seed the generators of the policy and of each arm."""
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
    """Return the recommended arm: highest mean, then most visits, or with ROBUST the reverse. Ties: the lower index."""
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
