"""The search loop: select, expand, simulate, backpropagate.

Games and policies enter as kernel addresses (``plan``). A *shape* is a NamedTuple of integers. Its class selects the
version of each verb (``core.search.verbs``) when the loop is compiled, so a search contains only the code of its shape.

The loop never reads a clock: Python runs it in chunks and checks the time in between.

The order of random draws is fixed, and ``tests/oracle`` reproduces it: first the policies and chance nodes on the way
down, then the playout, then the on_simulation hooks in plan order.
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
    """Run simulations up to the totals ``simulations`` or ``calls``. Return DONE, or the status that stopped it."""
    counters = record(memory.counters, COUNTERS)
    episode = record(memory.episode, EPISODE)
    while within_limits(shape, counters, simulations, calls):
        if not begin(shape, game, memory, counters):
            return FULL
        # 1. Select: descend from the root to a leaf.
        depth = select(shape, game, plan, memory, 0, counters)
        # 2. Expand: add the leaf's children and step to one of them.
        depth = expand(shape, game, plan, memory, depth, counters)
        if depth < 0:
            return status_of(shape, memory, depth)
        # 3. Simulate: play out and score.
        simulate(shape, game, plan, memory, episode, depth, counters)
        # 4. Backpropagate along the path, then run the on_simulation hooks.
        backpropagate(shape, memory, depth)
        count(shape, episode, counters)
        status = run_simulation_hooks(plan.on_simulation, memory.episode)
        if status != DONE:
            return status
    return DONE


def expand_root(shape, game, plan, memory):
    """Expand the root. Return the number of children; 0 if the game is over."""
    copy_state(game, memory.state, memory.root)
    return open_root(shape, game, plan, memory, record(memory.counters, COUNTERS))


def compiled_search(shape):
    return compiled_for(search, type(shape))


def compiled_expand_root(shape):
    return compiled_for(expand_root, type(shape))


@cache
def compiled_for(function, kind):
    """Compile ``function`` for a class of shapes. For a user's shape the cached name has a digest of its sources."""
    module = sys.modules[kind.__module__]
    return entry_for(function, kind, digest(module)[:16] if is_user_module(module) else "")
