"""The graph: a search with transpositions, in which each position has its children only once.

A simulation that reaches an edge without children looks the position up. If it is known, the edge is linked to it with
all its statistics, and the descent continues; if not, the edge is expanded when due. A path ends when it reaches a
position for the second time; otherwise it could cycle in games whose positions repeat.
"""

from typing import NamedTuple

import numpy as np

from ramify.core.kernels.compiling import jit
from ramify.core.kernels.pointers import array, call, copy_bytes, record
from ramify.core.search.episode import MAX_DEPTH
from ramify.core.search.steps import add_children, draw_outcome, pick
from ramify.core.search.tree import (
    CHANCE,
    MAX_PLAYERS,
    NODE_BYTES,
    ROOT,
    UNEXPANDED,
    clear_columns,
    node_at,
)
from ramify.core.search.verbs import add, backpropagate, begin, expand, grow, inside, open_root, select, start, step
from ramify.core.shapes.transpositions import (
    POSITION,
    TRANSPOSITION_TABLE,
    insert_position,
    link,
    look_up,
    update_edges,
)


class Graph(NamedTuple):
    """The shape: address of the TRANSPOSITION_TABLE record."""

    positions: int


@begin.of(Graph)
def begin_graph(shape, game, memory, counters):
    """Start a simulation. Return False if the tree or the transposition table has no room."""
    positions = record(shape.positions, TRANSPOSITION_TABLE)
    if counters.nodes + 1 + game.max_children > memory.capacity or 2 * positions.used >= positions.capacity:
        return False
    positions.simulation += 1
    start(game, memory)
    return True


@inside.of(Graph)
def inside_graph(shape, game, plan, memory, node, depth, counters):
    """Whether to descend: the edge has children or leads to a known position, and the path does not repeat it."""
    positions = record(shape.positions, TRANSPOSITION_TABLE)
    here = node_at(memory.nodes, node)
    if here.first == UNEXPANDED and not link_known_position(
        game, memory, positions, node, depth, came_by(memory, depth)
    ):
        return False
    return here.first >= 0 and not revisits(memory, positions, here)


@step.of(Graph)
def step_graph(shape, game, selector, memory, node, depth, uniformly, counters):
    """Play a move as in a tree. The policy's N is that of the position, except at the root."""
    here = node_at(memory.nodes, node)
    first = np.int64(here.first)
    if here.mover == CHANCE:
        child = first + draw_outcome(memory, first, here.live)
    else:
        child = first + pick(selector, memory, node, node_at(memory.nodes, first - 1 if depth else ROOT), uniformly)
    call(game.play, (game.rules, memory.state, np.int64(node_at(memory.nodes, child).move)))
    return child


@expand.of(Graph)
def expand_graph(shape, game, plan, memory, depth, counters):
    """Expand the leaf. If the new child leads to a known position, continue the descent there."""
    deeper = grow(shape, game, plan, memory, depth, counters)
    return select(shape, game, plan, memory, deeper, counters) if deeper > depth else depth


@add.of(Graph)
def add_graph(shape, game, plan, memory, node, depth, counters):
    """Add a position and its children, and mark it as part of the path."""
    positions = record(shape.positions, TRANSPOSITION_TABLE)
    count = add_position(game, plan, memory, positions, node, came_by(memory, depth), counters)
    if count > 0:
        revisits(memory, positions, node_at(memory.nodes, node))
    return count


@open_root.of(Graph)
def open_root_graph(shape, game, plan, memory, counters):
    """Expand the root. Looking it up first sets the hash that ``add_position`` inserts."""
    positions = record(shape.positions, TRANSPOSITION_TABLE)
    look_up(game, memory, positions, 0, 0)
    return add_position(game, plan, memory, positions, ROOT, 0, counters)


@jit
def came_by(memory, depth):
    """Return the player who made the last move of the path; 0 for chance."""
    if depth == 0:
        return np.int64(0)
    above = array(memory.path, MAX_DEPTH + 1, np.int64)[depth - 1]
    return np.int64(max(node_at(memory.nodes, above).mover, 0))


@jit
def revisits(memory, positions, here):
    """Whether the path already contains this position. Marks it as contained."""
    position = node_at(memory.nodes, np.int64(here.first) - 1)
    number = np.int32(positions.simulation & 0x7FFFFFFF)
    if position.move == number:
        return True
    position.move = number
    return False


@jit
def link_known_position(game, memory, positions, edge, depth, player):
    """Link the edge to the current position if it is in the table. Return whether it was."""
    first = look_up(game, memory, positions, depth, player)
    if first == 0:
        return False
    here = node_at(memory.nodes, edge)
    position = node_at(memory.nodes, first - 1)
    here.mover = position.mover
    here.live = position.live
    here.first = first
    position.visits += here.visits
    if positions.uct2:
        position.total += here.total
        if memory.squares:
            own = array(memory.squares + 8 * edge, 1, np.float64)[0]
            array(memory.squares + 8 * (first - 1), 1, np.float64)[0] += own
        link(positions.edges, edge, first - 1)
    positions.hits += 1
    return True


@jit
def add_position(game, plan, memory, positions, edge, player, counters):
    """Add the position last looked up, with its children, to an edge. Return their number; 0 if the game is over."""
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
    position.tag = POSITION + player
    if memory.squares:
        own = array(memory.squares + 8 * edge, 1, np.float64)[0]
        array(memory.squares + 8 * place, 1, np.float64)[0] = own
    if positions.uct2 and edge != ROOT:
        link(positions.edges, edge, place)
    insert_position(positions, place + 1)
    return count


@backpropagate.of(Graph)
def backpropagate_graph(shape, memory, depth):
    """Credit the edges of the path and the positions they lead to."""
    positions = record(shape.positions, TRANSPOSITION_TABLE)
    path = array(memory.path, MAX_DEPTH + 1, np.int64)
    scores = array(memory.scores, MAX_PLAYERS, np.float64)
    player = 0
    for level in range(depth + 1):
        node = node_at(memory.nodes, path[level])
        node.visits += 1
        if level > 0 and (node.first < 0 or not positions.uct2):
            credit(memory, path[level], scores[player])
        if node.first >= 0:
            place = np.int64(node.first) - 1
            position = node_at(memory.nodes, place)
            position.visits += 1
            if positions.uct2:
                credit(memory, place, scores[position.tag - POSITION])
                update_edges(memory, positions, place)
        player = max(node.mover, 0)


@jit
def credit(memory, node, reward):
    node_at(memory.nodes, node).total += reward
    if memory.squares:
        array(memory.squares + 8 * node, 1, np.float64)[0] += reward * reward
