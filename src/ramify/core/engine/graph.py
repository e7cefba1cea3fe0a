"""The search loop where paths may meet again: the sequential one, but a position has its moves only once.

A simulation that comes to an edge without children asks whether the position there is known. If it is, the edge shares
it, with all that was learnt there, and the simulation goes on down; if not, it has children when it is due. So each
path is as in a tree where positions are nodes. A path ends where it comes to a position for the second time: games
whose positions repeat would lead it in circles.
"""

import numpy as np

from ramify.core.engine.episode import EPISODE, MAX_DEPTH
from ramify.core.engine.plan import COUNTERS, DONE, FULL
from ramify.core.engine.positions import (
    POSITION,
    POSITIONS,
    link,
    look_up,
    note_position,
    value_edges,
)
from ramify.core.engine.search import add_children, choose, copy_state, draw_outcome, simulate, tell
from ramify.core.engine.tree import (
    CHANCE,
    MOST_PLAYERS,
    NODE_BYTES,
    ROOT,
    UNEXPANDED,
    clear_columns,
    node_at,
)
from ramify.core.kernels.compiling import entry, jit
from ramify.core.kernels.pointers import array, call, copy_bytes, record
from ramify.core.numbers.rng import below


@entry
def search_graph(game, plan, memory, positions_, simulations, calls):
    """Simulate until ``simulations`` or ``calls`` (totals since the start) are spent, or a status says why not."""
    counters = record(memory.counters, COUNTERS)
    episode = record(memory.episode, EPISODE)
    positions = record(positions_, POSITIONS)
    while counters.simulations < simulations and counters.calls < calls:
        if counters.nodes + 1 + game.max_children > memory.capacity or 2 * positions.used >= positions.room:
            return FULL
        copy_state(game, memory.state, memory.root)
        depth = descend(game, plan, memory, positions, counters)
        simulate(game, plan, memory, episode, depth, depth, counters)
        back_up(memory, positions, depth)
        counters.simulations += 1
        status = tell(plan.observers, memory.episode)
        if status != DONE:
            return status
    return DONE


@entry
def expand_graph(game, plan, memory, positions_):
    """Give the root its children; how many, 0 when the game is over there."""
    positions = record(positions_, POSITIONS)
    copy_state(game, memory.state, memory.root)
    look_up(game, memory, positions, 0, 0)
    return add_position(game, plan, memory, positions, ROOT, 0, record(memory.counters, COUNTERS))


@jit
def descend(game, plan, memory, positions, counters):
    """Select, and expand once; the length of the path."""
    path = array(memory.path, MAX_DEPTH + 1, np.int64)
    path[0] = ROOT
    positions.simulation += 1
    depth = 0
    player = np.int64(0)
    expanded = False
    while depth < MAX_DEPTH:
        here = node_at(memory.nodes, path[depth])
        fresh = False
        if here.first == UNEXPANDED and not share(game, memory, positions, path[depth], depth, player):
            due = here.visits >= plan.expand_threshold or depth == 0
            if expanded or not due:
                break
            fresh = add_position(game, plan, memory, positions, path[depth], player, counters) > 0
            expanded = True
        if here.first < 0 or passed(memory, positions, here):
            break
        first = np.int64(here.first)
        if here.mover == CHANCE:
            node = first + draw_outcome(memory, first, here.live)
        elif depth == 0:
            node = first + choose(plan.root, memory, ROOT, here)
        elif fresh and plan.inner.evenly:
            node = first + (below(array(memory.rng, 1, np.uint64), np.int64(here.live)) if here.live > 1 else 0)
        else:
            node = first + choose(plan.inner, memory, path[depth], node_at(memory.nodes, first - 1))
        call(game.play, (game.rules, memory.state, np.int64(node_at(memory.nodes, node).move)))
        player = np.int64(max(here.mover, 0))
        depth += 1
        path[depth] = node
    return depth


@jit
def passed(memory, positions, here):
    """Whether the path came to this position before; from now on it did."""
    position = node_at(memory.nodes, np.int64(here.first) - 1)
    number = np.int32(positions.simulation & 0x7FFFFFFF)
    if position.move == number:
        return True
    position.move = number
    return False


@jit
def share(game, memory, positions, edge, depth, player):
    """Let an edge lead to the position at work if that is known; whether it is."""
    first = look_up(game, memory, positions, depth, player)
    if first == 0:
        return False
    here = node_at(memory.nodes, edge)
    position = node_at(memory.nodes, first - 1)
    here.mover = position.mover
    here.live = position.live
    here.first = first
    position.visits += here.visits
    if positions.means:
        position.total += here.total
        if memory.squares:
            own = array(memory.squares + 8 * edge, 1, np.float64)[0]
            array(memory.squares + 8 * (first - 1), 1, np.float64)[0] += own
        link(positions.edges, edge, first - 1)
    positions.shared += 1
    return True


@jit
def add_position(game, plan, memory, positions, edge, player, counters):
    """Give an edge a position of its own, that last looked for, and its children; how many, 0: the game is over."""
    place = counters.nodes
    clear_columns(memory.columns, memory.rows, memory.stride, place, 1)
    counters.nodes += 1
    count = add_children(game, plan, memory, edge, counters)
    if count == 0:
        counters.nodes -= 1
        return count
    copy_bytes(memory.nodes + place * NODE_BYTES, memory.nodes + edge * NODE_BYTES, NODE_BYTES)
    position = node_at(memory.nodes, place)
    position.move = -1
    position.spare = POSITION + player
    if memory.squares:
        own = array(memory.squares + 8 * edge, 1, np.float64)[0]
        array(memory.squares + 8 * place, 1, np.float64)[0] = own
    if positions.means and edge != ROOT:
        link(positions.edges, edge, place)
    note_position(positions, place + 1)
    return count


@jit
def back_up(memory, positions, depth):
    """Credit the edges of the path, and the positions they lead to."""
    path = array(memory.path, MAX_DEPTH + 1, np.int64)
    scores = array(memory.scores, MOST_PLAYERS, np.float64)
    player = 0
    for level in range(depth + 1):
        node = node_at(memory.nodes, path[level])
        node.visits += 1
        if level > 0 and (node.first < 0 or not positions.means):
            credit(memory, path[level], scores[player])
        if node.first >= 0:
            place = np.int64(node.first) - 1
            position = node_at(memory.nodes, place)
            position.visits += 1
            if positions.means:
                credit(memory, place, scores[position.spare - POSITION])
                value_edges(memory, positions, place)
        player = max(node.mover, 0)


@jit
def credit(memory, node, reward):
    """Add a reward to a node's sums."""
    node_at(memory.nodes, node).total += reward
    if memory.squares:
        array(memory.squares + 8 * node, 1, np.float64)[0] += reward * reward
