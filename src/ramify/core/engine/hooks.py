"""What the search loop does only for strategies that ask for it: priors, and statistics beyond the plain record.

A policy may keep numbers of its own for every arm: ``plan.kept`` arrays as long as the tree's stand one after another
at ``memory.kept``. It learns from a simulation through two kernels, either of which may be missing (address 0):

* ``update`` is called for every node on the path where the policy chose, the last one first;
* ``after`` is called once, for the root, at the end of every simulation.
"""

import numpy as np

from ramify.core.engine.tree import NODE_BYTES, ROOT
from ramify.core.kernels.compiling import jit
from ramify.core.kernels.pointers import array, call


@jit
def clear(plan, memory, first, count):
    """Set the optional statistics of fresh nodes to zero; the arrays may hold those of an earlier tree."""
    if plan.squares:
        squares = array(memory.squares, memory.capacity, np.float64)
        for k in range(first, first + count):
            squares[k] = 0.0
    for row in range(plan.kept):
        kept = array(memory.kept + row * memory.stride * 8, memory.stride, np.float64)
        for k in range(first, first + count):
            kept[k] = 0.0


@jit
def give_priors(game, memory, nodes, first, count):
    """Write the prior of each child: the game's, made to add up to 1, or even ones where the game gives none."""
    priors = array(memory.probabilities, game.max_children, np.float64)
    total = 0.0
    if game.priors:
        call(game.priors, (game.rules, memory.state, memory.moves, np.int64(count), memory.probabilities))
        for k in range(count):
            total += max(priors[k], 0.0)
    for k in range(count):
        nodes[first + k].chance = max(priors[k], 0.0) / total if total > 0.0 else 1.0 / count


@jit
def learn(plan, memory, nodes, path, depth):
    """Tell the policies the outcome of a simulation, whose scores stand in ``memory.scores``."""
    for level in range(depth - 1, -1, -1):
        node = path[level]
        hook = plan.update if level else plan.update_root
        if hook == 0 or nodes[node].mover < 0:
            continue
        taken = path[level + 1]
        deeper = level + 1 < depth and nodes[taken].mover >= 0
        leaf = not (deeper and hook == plan.update)
        constants = plan.constants if level else plan.root_constants
        tell(hook, memory, nodes, node, taken, leaf, constants)
    if plan.after_root:
        tell(plan.after_root, memory, nodes, ROOT, path[1], True, plan.root_constants)
    if plan.after:
        tell(plan.after, memory, nodes, ROOT, path[1], True, plan.constants)


@jit
def tell(hook, memory, nodes, node, taken, leaf, constants):
    """Call one hook for one node; ``leaf`` says that the policy has not learnt below the arm taken."""
    first = np.int64(nodes[node].first)
    arguments = (
        memory.nodes + first * NODE_BYTES,
        np.int64(node),
        np.int64(nodes[node].count),
        np.int64(nodes[node].visits),
        np.int64(taken - first),
        np.int64(leaf),
        np.int64(nodes[node].mover),
        memory.scores,
        constants,
    )
    call(hook, arguments)
