"""The search loop, for trees of every shape: select, expand, simulate, backpropagate.

The loop knows neither game nor policy nor shape. Games and policies are addresses of kernels (``plan``). A *shape* is a
NamedTuple of integers: what the tree is made of, and whatever it needs beside it. Each verb below does what a tree
does; a shape that does otherwise has a version of its own (``@step.of(Graph)``), chosen by its class when the loop is
compiled for it, so that a search neither calls nor carries what its shape has no use for. One file a shape: ``shapes``.

There is no clock in here: Python runs the loop in chunks and looks at the clock in between.

Random numbers are drawn in a fixed order, which the oracle in ``tests/oracle`` repeats: on the way down whatever each
policy or chance node draws, then the playout, then the observers, in their order.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from ramify.core.kernels.compiling import entry_for, jit, verb
from ramify.core.kernels.pointers import array, call, record
from ramify.core.search.episode import EPISODE, MAX_DEPTH
from ramify.core.search.plan import COUNTERS, DONE, FULL
from ramify.core.search.steps import (
    add_children,
    backpropagate,
    copy_state,
    draw_outcome,
    pick,
    simulate,
    tell,
)
from ramify.core.search.tree import CHANCE, ROOT, UNEXPANDED, node_at


class Tree(NamedTuple):
    """The shape that needs nothing beside the tree."""

    block: int = 0


TREE = Tree()


def search(shape, game, plan, memory, simulations, calls):
    """Simulate until ``simulations`` or ``calls`` (totals since the start) are spent, or a status says why not."""
    counters = record(memory.counters, COUNTERS)
    episode = record(memory.episode, EPISODE)
    while done(shape, counters) < simulations and counters.calls < calls:
        if not begin(shape, game, memory, counters):
            return FULL
        # 1. Select: from the root down to a leaf of the tree.
        depth = select(shape, game, plan, memory, counters)
        # 2. Expand: the leaf's children join the tree, and one of them ends the path.
        depth = expand(shape, game, plan, memory, depth, counters)
        if depth < 0:
            return stop(shape, memory, depth)
        # 3. Simulate: play on to the end of the game; what is it worth?
        simulate(game, plan, memory, episode, depth, moved(shape, depth), counters, drawn(shape))
        # 4. Backpropagate: along the path, then to whoever else wants to know.
        back_up(shape, memory, depth)
        count(shape, episode, counters)
        status = tell(plan.observers, memory.episode)
        if status != DONE:
            return status
    return DONE


def expand_root(shape, game, plan, memory):
    """Give the root its children; how many, 0 when the game is over there."""
    copy_state(game, memory.state, memory.root)
    return settle(shape, game, plan, memory, record(memory.counters, COUNTERS))


@cache
def loop_of(kind):
    """The loop compiled for a shape."""
    return entry_for(search, kind)


@cache
def root_of(kind):
    """``expand_root`` compiled for a shape."""
    return entry_for(expand_root, kind)


# What a shape may do in its own way.


@verb
def done(shape, counters):
    """How much work was done so far, in simulations."""
    return counters.simulations


@verb
def begin(shape, game, memory, counters):
    """Go to the root; whether there is room for what a simulation may add."""
    if counters.nodes + game.max_children > memory.capacity:
        return False
    start(game, memory)
    return True


@verb
def select(shape, game, plan, memory, counters):
    """Go down to a leaf, and write the path; its length, or below 0 that there is no simulation (``stop``)."""
    return walk(shape, game, plan, memory, 0, counters)


@verb
def inside(shape, game, plan, memory, node, depth, counters):
    """Whether the tree goes on below a node, at whose position the simulation is."""
    return node_at(memory.nodes, node).first >= 0


@verb
def step(shape, game, chooser, memory, node, depth, evenly, counters):
    """Go on to a child of a node, by its policy, by chance, or ``evenly``; the child."""
    return step_alone(game, chooser, memory, node, evenly)


@verb
def expand(shape, game, plan, memory, depth, counters):
    """Give the leaf children if it is due, and step to one of them; the length of the path."""
    return grow(shape, game, plan, memory, depth, counters)


@verb
def add(shape, game, plan, memory, node, depth, counters):
    """Add the children of a node, at whose position the simulation is; how many, 0: the game is over there."""
    return add_children(game, plan, memory, node, counters)


@verb
def settle(shape, game, plan, memory, counters):
    """Let the root have the children of its position; how many, 0 when the game is over there."""
    return add(shape, game, plan, memory, ROOT, 0, counters)


@verb
def stop(shape, memory, depth):
    """The status that ends the loop where ``select`` or ``expand`` found no simulation."""
    return FULL


@verb
def moved(shape, depth):
    """How many moves of the path were made for this simulation."""
    return depth


@verb
def drawn(shape):
    """How many outcomes of chance are on the way that are not in the path."""
    return 0


@verb
def back_up(shape, memory, depth):
    """Credit every node on the path."""
    backpropagate(memory, depth)


@verb
def count(shape, episode, counters):
    """Count the simulation."""
    counters.simulations += 1


# Of which these are made.


@jit
def start(game, memory):
    """Begin a path at the root."""
    copy_state(game, memory.state, memory.root)
    array(memory.path, 1, np.int64)[0] = ROOT


@jit
def walk(shape, game, plan, memory, depth, counters):
    """Choose a child at every node that has children, from the end of a path on, and write it; its length."""
    path = array(memory.path, MAX_DEPTH + 1, np.int64)
    node = path[depth]
    chooser = plan.inner if depth else plan.root
    while depth < MAX_DEPTH and inside(shape, game, plan, memory, node, depth, counters):
        node = step(shape, game, chooser, memory, node, depth, False, counters)
        depth += 1
        path[depth] = node
        chooser = plan.inner
    return depth


@jit
def step_alone(game, chooser, memory, node, evenly):
    """Make a move of the player whose turn it is, or let chance make one; the child."""
    here = node_at(memory.nodes, node)
    first = np.int64(here.first)
    if here.mover == CHANCE:
        child = first + draw_outcome(memory, first, here.live)
    else:
        child = first + pick(chooser, memory, node, here, evenly)
    call(game.play, (game.rules, memory.state, np.int64(node_at(memory.nodes, child).move)))
    return child


@jit
def grow(shape, game, plan, memory, depth, counters):
    """Give the leaf children if it is due, and step to one of them; the length of the path."""
    path = array(memory.path, MAX_DEPTH + 1, np.int64)
    leaf = path[depth]
    here = node_at(memory.nodes, leaf)
    due = here.visits >= plan.expand_threshold or depth == 0
    if here.first != UNEXPANDED or not due or depth == MAX_DEPTH:
        return depth
    if add(shape, game, plan, memory, leaf, depth, counters) == 0:
        return depth
    chooser = plan.inner if depth else plan.root
    path[depth + 1] = step(shape, game, chooser, memory, leaf, depth, depth > 0 and plan.inner.evenly, counters)
    return depth + 1
