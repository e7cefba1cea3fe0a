"""Building blocks of the search steps, common to all shapes: choose, list moves, add nodes, credit a path."""

from math import isnan

import numpy as np

from ramify.core.kernels.compiling import jit
from ramify.core.kernels.pointers import array, call, copy_bytes, record
from ramify.core.numbers.rng import below, uniform
from ramify.core.search.episode import EPISODE, MAX_DEPTH
from ramify.core.search.plan import BOUND_KERNEL, BOUND_KERNEL_BYTES, DONE
from ramify.core.search.tree import (
    CHANCE,
    MAX_PLAYERS,
    NODE_BYTES,
    ROOT,
    SIMULTANEOUS,
    TERMINAL,
    UNEXPANDED,
    clear_columns,
    node_at,
)
from ramify.errors import BadMoveCountError, BadRewardError, SimultaneousError


@jit
def copy_state(game, target, source):
    if game.copy == 0:
        copy_bytes(target, source, game.state_bytes)
    else:
        call(game.copy, (target, source))


@jit
def choose(selector, memory, node, here, visits):
    """Let the policy choose a child. Return its index among the siblings. ``visits`` is the policy's N."""
    if selector.before_select:
        call(selector.before_select, (selector.before_select_block, memory.episode, np.int64(node)))
    children = memory.nodes + np.int64(here.first) * NODE_BYTES
    return call(selector.select, (children, np.int64(here.live), np.int64(visits), selector.block))


@jit
def at_root(nodes, episode, children):
    """Whether these are the children of the root; at simultaneous moves, the searching player's arms there."""
    here = node_at(nodes, ROOT)
    if here.mover == SIMULTANEOUS:
        here = node_at(nodes, np.int64(here.first) + record(episode, EPISODE).player)
    return children == nodes + np.int64(here.first) * NODE_BYTES


@jit
def pick(selector, memory, node, here, uniformly):
    """Return the index of a child among its siblings: the policy's choice, or a uniform one if ``uniformly``."""
    if uniformly:
        return np.int64(below(array(memory.rng, 1, np.uint64), np.int64(here.live)) if here.live > 1 else 0)
    return np.int64(choose(selector, memory, node, here, here.visits))


@jit
def draw_outcome(memory, first, count):
    """Draw an outcome of a chance node by its probabilities. Return its index."""
    left = uniform(array(memory.rng, 1, np.uint64))
    for k in range(count - 1):
        left -= node_at(memory.nodes, first + k).chance
        if left < 0.0:
            return k
    return count - 1


@jit
def list_moves(game, state, mover, moves, probabilities):
    """List the moves or chance outcomes of a position. Return their number; 0 if the game is over.

    The mover of a finished game is meaningless, so SIMULTANEOUS raises an error only if the game is not over.
    """
    if mover == CHANCE:
        count = call(game.chance_outcomes, (game.rules, state, moves, probabilities))
    elif mover == SIMULTANEOUS:
        if call(game.over, (game.rules, state)):
            return 0
        raise SimultaneousError
    else:
        count = call(game.legal, (game.rules, state, moves))
    if count < 0 or count > game.max_children:
        raise BadMoveCountError
    return count


@jit
def add_children(game, plan, memory, node, counters):
    """Add the children of ``node``. Return their number; 0 if the game is over."""
    mover = call(game.mover, (game.rules, memory.state))
    count = list_moves(game, memory.state, mover, memory.moves, memory.probabilities)
    here = node_at(memory.nodes, node)
    if count == 0:
        here.first = TERMINAL
        return 0
    append_children(plan, memory, here, mover, count, counters)
    return count


@jit
def append_children(plan, memory, here, mover, count, counters):
    """Append ``count`` children to a node. Their moves are in ``memory.moves``."""
    moves = array(memory.moves, count, np.int64)
    first = counters.nodes
    for k in range(count):
        reset_node(node_at(memory.nodes, first + k), moves[k])
    clear_columns(memory.columns, memory.rows, memory.stride, first, count)
    if mover == CHANCE:
        probabilities = array(memory.probabilities, count, np.float64)
        for k in range(count):
            node_at(memory.nodes, first + k).chance = probabilities[k]
    else:
        run_expand_hooks(plan, memory, first, count)
    here.mover = mover
    here.live = count
    here.first = first
    counters.nodes += count


@jit
def run_expand_hooks(plan, memory, first, count):
    """Run the on_expand hooks for new children. Their moves are in ``memory.moves``."""
    for k in range(plan.on_expand.count):
        hook = record(plan.on_expand.address + k * BOUND_KERNEL_BYTES, BOUND_KERNEL)
        call(hook.kernel, (hook.block, memory.episode, np.int64(first), np.int64(count)))


@jit
def reset_node(node, move):
    node.first = UNEXPANDED
    node.live = 0
    node.move = move
    node.visits = 0
    node.total = 0.0
    node.chance = 0.0
    node.hidden = 0
    node.mover = 0
    node.tag = 0


@jit
def check_rewards(memory, players):
    """Raise if a reward is nan: it would make the means of all nodes on the path nan."""
    rewards = array(memory.scores, players, np.float64)
    for player in range(players):
        if isnan(rewards[player]):
            raise BadRewardError


@jit
def credit_path(memory, depth, count=1):
    """Add the rewards to every node of the path: those of the player who moved there (below chance: player 0).

    ``count``: number of simulations with this result.
    """
    path = array(memory.path, MAX_DEPTH + 1, np.int64)
    scores = array(memory.scores, MAX_PLAYERS, np.float64)
    parent = node_at(memory.nodes, ROOT)
    parent.visits += count
    for level in range(1, depth + 1):
        node = node_at(memory.nodes, path[level])
        reward = scores[max(parent.mover, 0)]
        node.visits += count
        node.total += count * reward
        if memory.squares:
            array(memory.squares + 8 * path[level], 1, np.float64)[0] += count * reward * reward
        parent = node


@jit
def run_simulation_hooks(hooks, episode):
    """Run every on_simulation hook. Return the first status other than DONE: all hooks run even if one asks to stop."""
    answer = DONE
    for k in range(hooks.count):
        hook = record(hooks.address + k * BOUND_KERNEL_BYTES, BOUND_KERNEL)
        status = call(hook.kernel, (hook.block, episode))
        answer = status if answer == DONE else answer
    return answer
