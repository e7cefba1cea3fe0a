"""The search loop, for searches of every shape: select, expand, simulate, backpropagate.

The loop knows neither game nor policy nor shape. Games and policies are addresses of kernels (``plan``). A *shape* is a
NamedTuple of integers; its class chooses the version of each verb (``core.search.verbs``) when the loop is compiled for
it, so that a search neither calls nor carries what its shape does not use.

There is no clock in here: Python runs the loop in chunks and looks at the clock in between.

Random numbers are drawn in a fixed order, which the oracle in ``tests/oracle`` repeats: on the way down whatever each
policy or chance node draws, then the playout, then the hooks, in their order.
"""

import sys
from functools import cache

from ramify.core.kernels.compiling import entry_for
from ramify.core.kernels.pointers import record
from ramify.core.kernels.source_digest import digest, is_user_module
from ramify.core.search.episode import EPISODE
from ramify.core.search.plan import COUNTERS, DONE, FULL
from ramify.core.search.steps import copy_state, run_simulation_hooks
from ramify.core.search.verbs import (
    backpropagate,
    begin,
    count,
    expand,
    open_root,
    select,
    simulate,
    status_of,
    within_limits,
)


def search(shape, game, plan, memory, simulations, calls):
    """Simulate until ``simulations`` or ``calls`` (totals since the start) are spent, or a status says why not."""
    counters = record(memory.counters, COUNTERS)
    episode = record(memory.episode, EPISODE)
    while within_limits(shape, counters, simulations, calls):
        if not begin(shape, game, memory, counters):
            return FULL
        # 1. Select: from the root down to a leaf of the tree.
        depth = select(shape, game, plan, memory, 0, counters)
        # 2. Expand: the leaf's children join the tree, and one of them ends the path.
        depth = expand(shape, game, plan, memory, depth, counters)
        if depth < 0:
            return status_of(shape, memory, depth)
        # 3. Simulate: play on to the end of the game, and score that.
        simulate(shape, game, plan, memory, episode, depth, counters)
        # 4. Backpropagate: along the path, then to the hooks.
        backpropagate(shape, memory, depth)
        count(shape, episode, counters)
        status = run_simulation_hooks(plan.on_simulation, memory.episode)
        if status != DONE:
            return status
    return DONE


def expand_root(shape, game, plan, memory):
    """Give the root the children of its position; how many, 0 when the game is over there."""
    copy_state(game, memory.state, memory.root)
    return open_root(shape, game, plan, memory, record(memory.counters, COUNTERS))


def compiled_search(shape):
    """``search`` compiled for the class of a shape."""
    return compiled_for(search, type(shape))


def compiled_expand_root(shape):
    """``expand_root`` compiled for the class of a shape."""
    return compiled_for(expand_root, type(shape))


@cache
def compiled_for(function, kind):
    """A function compiled for a class of shapes; the name on disk has a digest of sources that are not ours."""
    module = sys.modules[kind.__module__]
    return entry_for(function, kind, digest(module)[:16] if is_user_module(module) else "")
