"""The sequential search loop: select, expand, play out, back up.

The loop knows neither game nor policy. A game is a ``GameTable``, a search strategy a ``Plan``: both hold addresses
of kernels (``kernels.pointers.call``) and plain numbers, so this file is compiled once for all of them. There is no
clock in here: Python runs the loop in chunks and looks at the clock in between.

Random numbers are drawn in a fixed order, which the oracle in ``tests/oracle`` repeats: on the way down whatever
each policy or chance node draws, then the playout, then whatever policies that learn draw (``hooks``), then one
draw of an error model (``amaf``).
"""

from typing import NamedTuple

import numpy as np

from ramify.core.engine.hooks import clear, give_priors, learn
from ramify.core.engine.tree import CHANCE, NODE, NODE_BYTES, ROOT, TERMINAL, UNEXPANDED
from ramify.core.kernels.compiling import entry, jit
from ramify.core.kernels.pointers import array, call, copy_bytes, record, records
from ramify.core.numbers.rng import below, uniform

MAX_DEPTH = 4096  # a path longer than this is played out from there

# What a chunk answers.
DONE = 0
FULL = 1  # the tree, or what is kept beside it, needs more room before the next simulation

COUNTERS = np.dtype(
    [
        ("nodes", np.int64),  # records of the tree in use
        ("simulations", np.int64),
        ("calls", np.int64),  # forward-model calls: moves played, in the tree and in playouts
        ("deepest", np.int64),  # longest path in the tree
        ("cut", np.int64),  # playouts stopped by the ply limit
    ]
)


class GameTable(NamedTuple):
    """A game as the engine sees it: sizes, the address of its rules and the addresses of its kernels."""

    players: int
    state_bytes: int
    max_children: int
    rules: int
    legal: int  # (rules, state, moves) -> number of moves, 0 when the game is over
    play: int  # (rules, state, move)
    mover: int  # (rules, state) -> player, CHANCE or EVERYBODY
    scores: int  # (rules, state, out)
    chances: int  # (rules, state, moves, probabilities) -> number of outcomes
    copy: int  # (target, source), or 0: copy the bytes
    priors: int = 0  # (rules, state, moves, count, out), or 0: every move is as likely


class Plan(NamedTuple):
    """A search strategy as the engine sees it."""

    select_root: int  # (children, count, visits, constants) -> index of a child
    root_constants: int
    select: int
    constants: int
    playout: int  # (rules, state, moves, rng, limit) -> plies, or -1 - plies when cut by the limit
    playout_limit: int
    expand_threshold: int
    squares: int  # whether sums of squared rewards are kept
    evenly: int = 0  # whether `select` draws evenly among children none of which has been visited
    kept: int = 0  # how many numbers policies keep for each node, beyond the plain record
    priors: int = 0  # whether children need priors
    learning: int = 0  # whether any of the hooks below is there; see core.engine.hooks
    update_root: int = 0
    update: int = 0
    after_root: int = 0
    after: int = 0
    reward: int = 0  # (rules, state, scores, constants) changes the scores of a finished game, or 0: they stay
    reward_constants: int = 0
    amaf: int = 0  # address of an AMAF record for the kernels of core.engine.amaf that follow
    classify: int = 0  # (amaf, first, count) for fresh children
    credit: int = 0  # (amaf, depth) after a simulation -> whether room for tables must be made
    inherit_root: int = 0  # (amaf, node) before a choice
    inherit: int = 0
    trace: int = 0  # where a playout writes its moves; 0: it does not


class Memory(NamedTuple):
    """Addresses of everything a search writes to."""

    nodes: int
    squares: int
    capacity: int  # of nodes (and squares)
    counters: int
    rng: int
    root: int  # the state at the root
    state: int  # the state the simulation works on
    path: int
    moves: int
    probabilities: int
    scores: int
    scratch: int
    kept: int = 0
    stride: int = 0  # numbers in a row of kept


@entry
def search(game, plan, memory, simulations, calls):
    """Simulate until ``simulations`` or ``calls`` (totals since the start) are spent; DONE, or FULL."""
    nodes = records(memory.nodes, memory.capacity, NODE)
    squares = array(memory.squares, memory.capacity, np.float64)
    path = array(memory.path, MAX_DEPTH + 1, np.int64)
    scores = array(memory.scores, game.players, np.float64)
    counters = record(memory.counters, COUNTERS)
    while counters.simulations < simulations and counters.calls < calls:
        if counters.nodes + game.max_children > memory.capacity:
            return FULL
        if game.copy == 0:
            copy_bytes(memory.state, memory.root, game.state_bytes)
        else:
            call(game.copy, (memory.state, memory.root))
        depth = descend(game, plan, memory, nodes, path, counters)
        play_out(game, plan, memory, scores, counters)
        back_up(plan, memory, squares, path, depth, scores)
        counters.simulations += 1
        if plan.learning:
            learn(plan, memory, nodes, path, depth)
        if plan.credit and call(plan.credit, (plan.amaf, np.int64(depth))):
            return FULL
    return DONE


@jit
def descend(game, plan, memory, nodes, path, counters):
    """Walk down, choosing a child at each node, and expand at most one leaf; the length of the path."""
    node = ROOT
    path[0] = ROOT
    here = at(memory, ROOT)
    depth = 0
    fresh = False
    while not fresh and depth < MAX_DEPTH:
        if here.first < 0:
            if here.first == TERMINAL or (here.visits < plan.expand_threshold and node != ROOT):
                break
            if expand(game, plan, memory, nodes, node, counters) == 0:
                break
            fresh = True
        first = np.int64(here.first)
        if here.mover == CHANCE:
            node = first + draw_outcome(nodes, first, here.count, array(memory.rng, 1, np.uint64))
        elif fresh and plan.evenly and node != ROOT:
            count = np.int64(here.count)
            node = first + (below(array(memory.rng, 1, np.uint64), count) if count > 1 else 0)
        else:
            inherit = plan.inherit if depth else plan.inherit_root
            if inherit:
                call(inherit, (plan.amaf, np.int64(node)))
            node = first + choose(plan, memory, first, here.count, here.visits, node == ROOT)
        here = at(memory, node)
        call(game.play, (game.rules, memory.state, np.int64(here.move)))
        depth += 1
        path[depth] = node
    counters.calls += depth
    counters.deepest = max(counters.deepest, depth)
    return depth


@jit
def at(memory, node):
    """The record of a node; unlike an item of an array, without a look whether its number is negative."""
    return record(memory.nodes + node * NODE_BYTES, NODE)


@jit
def choose(plan, memory, first, count, visits, at_root):
    """The policy's choice among the children, counted from the first."""
    select = plan.select_root if at_root else plan.select
    constants = plan.root_constants if at_root else plan.constants
    return call(select, (memory.nodes + first * NODE_BYTES, np.int64(count), np.int64(visits), constants))


@jit
def expand(game, plan, memory, nodes, node, counters):
    """Append the children of ``node`` to the tree; their number, 0 when the game is over there."""
    moves = array(memory.moves, game.max_children, np.int64)
    mover = call(game.mover, (game.rules, memory.state))
    if mover == CHANCE:
        count = call(game.chances, (game.rules, memory.state, memory.moves, memory.probabilities))
    else:
        count = call(game.legal, (game.rules, memory.state, memory.moves))
    if count == 0:
        nodes[node].first = TERMINAL
        return 0
    first = counters.nodes
    for k in range(count):
        child = at(memory, first + k)
        child.first = UNEXPANDED
        child.count = 0
        child.move = moves[k]
        child.visits = 0
        child.total = 0.0
        child.mover = 0
        child.chance = 0.0
    if mover == CHANCE:
        probabilities = array(memory.probabilities, game.max_children, np.float64)
        for k in range(count):
            nodes[first + k].chance = probabilities[k]
    elif plan.priors:
        give_priors(game, memory, nodes, first, count)
    clear(plan, memory, first, count)
    if plan.classify and mover >= 0:
        call(plan.classify, (plan.amaf, np.int64(first), np.int64(count)))
    nodes[node].mover = mover
    nodes[node].count = count
    nodes[node].first = first
    counters.nodes += count
    return count


@jit
def draw_outcome(nodes, first, count, rng):
    """An outcome of a chance node, by its probabilities."""
    left = uniform(rng)
    for k in range(count - 1):
        left -= nodes[first + k].chance
        if left < 0.0:
            return k
    return count - 1


@jit
def play_out(game, plan, memory, scores, counters):
    """Play the working state to its end and read the scores; a playout that is cut scores 1/2 for everybody."""
    if plan.trace:
        plies = call(plan.playout, (game.rules, memory.state, memory.moves, memory.rng, plan.playout_limit, plan.trace))
    else:
        plies = call(plan.playout, (game.rules, memory.state, memory.moves, memory.rng, plan.playout_limit))
    if plies < 0:
        plies = -1 - plies
        counters.cut += 1
        for player in range(game.players):
            scores[player] = 0.5
    else:
        call(game.scores, (game.rules, memory.state, memory.scores))
        if plan.reward:
            call(plan.reward, (game.rules, memory.state, memory.scores, plan.reward_constants))
    counters.calls += plies


@jit
def back_up(plan, memory, squares, path, depth, scores):
    """Credit every node on the path to the player who moved there (below chance: to the first player)."""
    parent = at(memory, ROOT)
    parent.visits += 1
    for level in range(1, depth + 1):
        node = at(memory, path[level])
        reward = scores[max(parent.mover, 0)]
        node.visits += 1
        node.total += reward
        if plan.squares:
            squares[path[level]] += reward * reward
        parent = node
