"""The open loop: chance outcomes are not in the tree; a node stands for a sequence of players' moves.

Chance outcomes are drawn again in every simulation, so a node stands for many positions. The mover, the legal moves and
the end of the game are determined at every visit. The children of a node are all moves, of any player, that were legal
in some simulation. Those legal now are moved to the front, in the game's order, and only these are visible to policies.
The policies' N is the node's visits minus those of the moves that are not legal now.

A new move needs a record next to its siblings. If no reserved record is left, all siblings move to a larger block at
the end of the tree; a column stores the capacity of each node's block. If the tree is full, the simulation is repeated
with the same draws once the tree has grown, so the order of the children does not depend on when they were found.

At the root the position is known, so the children are as in the tree shape. Without chance the whole tree is identical.
"""

from typing import NamedTuple

import numpy as np

from ramify.core.kernels.compiling import jit
from ramify.core.kernels.pointers import array, call, copy_bytes, record
from ramify.core.numbers.rng import weighted
from ramify.core.search.episode import MAX_DEPTH
from ramify.core.search.plan import FULL
from ramify.core.search.steps import (
    add_children,
    choose,
    list_moves,
    pick,
    reset_node,
    run_expand_hooks,
)
from ramify.core.search.tree import (
    CHANCE,
    MAX_HIDDEN,
    NODE_BYTES,
    ROOT,
    UNEXPANDED,
    clear_columns,
    copy_columns,
    node_at,
    swap_nodes,
)
from ramify.core.search.verbs import (
    add,
    begin,
    expand,
    grow,
    inside,
    open_root,
    play_from_leaf,
    play_out,
    start,
    status_of,
    step,
)

OPEN_LOOP = np.dtype(
    [
        ("capacities", np.int64),  # column: records reserved for the children of a node; 0: as many as it has
        ("needed", np.int64),  # nodes that the last simulation had no room for
        ("lacks", np.int64),  # whether the current simulation has run out of room
        ("drawn", np.int64),  # chance outcomes drawn in the tree
        ("begun", np.uint64),  # state of the generator at its start
    ]
)
NO_ROOM = -1  # in place of a number of moves or a path's length
NOT_FOUND = -1  # in place of a child's index
RELOCATED = -1  # the move of a record that was moved elsewhere


class OpenLoop(NamedTuple):
    """The shape: address of the OPEN_LOOP record."""

    block: int


@begin.of(OpenLoop)
def begin_open(shape, game, memory, counters):
    """Start a simulation and save the generator. Room is checked on the way down."""
    block = record(shape.block, OPEN_LOOP)
    block.begun = array(memory.rng, 1, np.uint64)[0]
    block.drawn = 0
    block.lacks = 0
    start(game, memory)
    return True


@inside.of(OpenLoop)
def inside_open(shape, game, plan, memory, node, depth, counters):
    """Whether to descend: the node has children, and a move is legal now."""
    if node_at(memory.nodes, node).first < 0:
        return False
    return depth == 0 or bring_legal_to_front(game, plan, memory, record(shape.block, OPEN_LOOP), node, counters) > 0


@step.of(OpenLoop)
def step_open(shape, game, selector, memory, node, depth, uniformly, counters):
    """Choose among the children that are legal now and play the move, then draw chance outcomes."""
    here = node_at(memory.nodes, node)
    first = np.int64(here.first)
    if uniformly:
        child = first + pick(selector, memory, node, here, uniformly)
    else:
        visits = visible_visits(memory, here) if depth else np.int64(here.visits)
        child = first + choose(selector, memory, node, here, visits)
    call(game.play, (game.rules, memory.state, np.int64(node_at(memory.nodes, child).move)))
    record(shape.block, OPEN_LOOP).drawn += draw_outcomes(game, memory)
    return child


@expand.of(OpenLoop)
def expand_open_loop(shape, game, plan, memory, depth, counters):
    """Expand the leaf. A node that was terminal in one simulation may be expanded in another."""
    block = record(shape.block, OPEN_LOOP)
    here = node_at(memory.nodes, array(memory.path, MAX_DEPTH + 1, np.int64)[depth])
    if block.lacks:
        return np.int64(NO_ROOM)
    if here.first < 0 and depth < MAX_DEPTH and (depth == 0 or here.visits >= plan.expand_threshold):
        if counters.nodes + game.max_children > memory.capacity:
            block.needed = game.max_children
            return np.int64(NO_ROOM)
        here.first = UNEXPANDED
        return np.int64(grow(shape, game, plan, memory, depth, counters))
    return np.int64(depth)


@add.of(OpenLoop)
def add_open(shape, game, plan, memory, node, depth, counters):
    """Add the children, tagged with their mover."""
    return add_moves(game, plan, memory, node, counters)


@open_root.of(OpenLoop)
def open_root_open(shape, game, plan, memory, counters):
    """Expand the root with exactly the moves of its position. Return their number, or NO_ROOM."""
    here = node_at(memory.nodes, ROOT)
    if here.first < 0:
        return add_moves(game, plan, memory, ROOT, counters)
    count = bring_legal_to_front(game, plan, memory, record(shape.block, OPEN_LOOP), ROOT, counters)
    if count > 0:
        here.visits = visible_visits(memory, here)
        here.hidden = 0
    return count


@status_of.of(OpenLoop)
def status_of_open(shape, memory, depth):
    """Restore the generator: the simulation will be repeated with the same draws."""
    array(memory.rng, 1, np.uint64)[0] = record(shape.block, OPEN_LOOP).begun
    return FULL


@play_out.of(OpenLoop)
def play_out_open(shape, game, plan, memory):
    """Play out. Chance outcomes drawn in the tree are not in the path, so they count as playout plies."""
    plies = play_from_leaf(shape, game, plan, memory)
    chance = record(shape.block, OPEN_LOOP).drawn
    return plies + chance if plies >= 0 else plies - chance


@jit
def draw_outcomes(game, memory):
    """Draw chance outcomes until a player moves. Return their number."""
    drawn = 0
    while call(game.mover, (game.rules, memory.state)) == CHANCE:
        count = list_moves(game, memory.state, CHANCE, memory.moves, memory.probabilities)
        if count == 0:
            break
        probabilities = array(memory.probabilities, count, np.float64)
        k = weighted(array(memory.rng, 1, np.uint64), probabilities, count)
        call(game.play, (game.rules, memory.state, array(memory.moves, count, np.int64)[k]))
        drawn += 1
    return drawn


@jit
def visible_visits(memory, here):
    """Visits of a node without those of its hidden children."""
    visits = np.int64(here.visits)
    last = np.int64(here.first) + np.int64(here.live) + np.int64(here.hidden)
    for child in range(np.int64(here.first) + np.int64(here.live), last):
        visits -= node_at(memory.nodes, child).visits
    return visits


@jit
def add_moves(game, plan, memory, node, counters):
    """Add the first children of a node, tagged with their mover. Return their number."""
    count = add_children(game, plan, memory, node, counters)
    here = node_at(memory.nodes, node)
    for k in range(count):
        node_at(memory.nodes, np.int64(here.first) + k).tag = here.mover
    return count


@jit
def bring_legal_to_front(game, plan, memory, block, node, counters):
    """Move the children that are legal now to the front. Return their number, 0 if the game is over, or NO_ROOM.

    Also returns 0 if more than MAX_HIDDEN children would have to be hidden: the playout then starts here.
    """
    mover = call(game.mover, (game.rules, memory.state))
    count = list_moves(game, memory.state, mover, memory.moves, memory.probabilities)
    if count == 0:
        return count
    here = node_at(memory.nodes, node)
    moves = array(memory.moves, count, np.int64)
    total = np.int64(here.live) + np.int64(here.hidden)
    first = np.int64(here.first)
    placed = 0
    while placed < min(count, total) and is_move_of(memory, first + placed, mover, moves[placed]):
        placed += 1
    if placed < count:
        listed = array(memory.scratch, count, np.int64)
        listed[:] = moves
        fresh = collect_new_moves(memory, first, placed, total, mover, listed, moves)
        if total + fresh - count > MAX_HIDDEN:
            return np.int64(0)
        if fresh > 0:
            if not make_room(game, memory, block, node, total, fresh, counters):
                return np.int64(NO_ROOM)
            first = np.int64(here.first)
            add_new_children(plan, memory, first + total, fresh, mover)
            total += fresh
        for k in range(placed, count):
            child = find(memory, first, k, total, k, mover, listed[k])
            swap_nodes(memory.nodes, memory.columns, memory.rows, memory.stride, first + k, child)
    here.mover = mover
    here.live = count
    here.hidden = total - count
    return count


@jit
def is_move_of(memory, child, mover, move):
    edge = node_at(memory.nodes, child)
    return edge.move == move and edge.tag == mover


@jit
def find(memory, first, low, total, start, mover, move):
    """Return the child that is ``move`` of ``mover``, or NOT_FOUND. Searches from ``start``, then from ``low``."""
    for k in range(start, total):
        if is_move_of(memory, first + k, mover, move):
            return first + k
    for k in range(low, start):
        if is_move_of(memory, first + k, mover, move):
            return first + k
    return np.int64(NOT_FOUND)


@jit
def collect_new_moves(memory, first, placed, total, mover, listed, moves):
    """Write the listed moves that are not children yet to ``moves``. Return their number."""
    fresh = 0
    start = np.int64(placed)
    for k in range(placed, len(listed)):
        child = find(memory, first, placed, total, start, mover, listed[k])
        if child == NOT_FOUND:
            moves[fresh] = listed[k]
            fresh += 1
        else:
            start = child + 1 - first
    return fresh


@jit
def make_room(game, memory, block, node, total, fresh, counters):
    """Make room for ``fresh`` more children of a node. Return False if the tree is full."""
    here = node_at(memory.nodes, node)
    room = array(block.capacities + 8 * node, 1, np.int64)
    if total + fresh <= room[0]:
        return True
    wanted = 2 * (total + fresh)
    if counters.nodes + wanted + game.max_children > memory.capacity:
        block.needed = wanted + game.max_children
        block.lacks = 1
        return False
    first, place = np.int64(here.first), np.int64(counters.nodes)
    copy_bytes(memory.nodes + place * NODE_BYTES, memory.nodes + first * NODE_BYTES, total * NODE_BYTES)
    copy_columns(memory.columns, memory.stride, first, memory.columns, memory.stride, place, memory.rows, total)
    for k in range(total):
        node_at(memory.nodes, first + k).move = RELOCATED
    here.first = place
    room[0] = wanted
    counters.nodes += wanted
    return True


@jit
def add_new_children(plan, memory, place, fresh, mover):
    """Append children for new moves, which are in ``memory.moves``."""
    moves = array(memory.moves, fresh, np.int64)
    for k in range(fresh):
        child = node_at(memory.nodes, place + k)
        reset_node(child, moves[k])
        child.tag = mover
    clear_columns(memory.columns, memory.rows, memory.stride, place, fresh)
    run_expand_hooks(plan, memory, place, fresh)
