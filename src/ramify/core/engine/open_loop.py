"""The search loop that keeps chance out of the tree: a node stands for a sequence of players' moves (open loop).

Outcomes of chance are drawn anew in every simulation, and so a node stands for many positions: who moves there, which
moves are legal, and whether the game is over are asked on every visit. The children of a node are the moves of any
player that were legal in some simulation; those legal now are brought to the front, in the order in which the game
lists them, and are all that policies see. Their N is the visits of the node less those of the moves not legal now.

A move found later needs a place beside the others. Where there is none left, all of them move to a larger place at the
end of the tree; a column beside it says how many places each node has. Where that does not fit, the simulation is
begun again with the same draws once the tree has grown: the order of the children does not tell when they were found.

At the root the position is known, so the children are as in the sequential loop. Without chance the whole tree is.
"""

import numpy as np

from ramify.core.engine.episode import EPISODE, MAX_DEPTH
from ramify.core.engine.plan import CALLEE, CALLEE_BYTES, COUNTERS, DONE, FULL
from ramify.core.engine.search import (
    add_children,
    backpropagate,
    copy_state,
    list_moves,
    make_fresh,
    simulate,
    tell,
)
from ramify.core.engine.tree import (
    CHANCE,
    MOST_HIDDEN,
    NODE_BYTES,
    ROOT,
    clear_columns,
    copy_columns,
    node_at,
    swap_nodes,
)
from ramify.core.kernels.compiling import entry, jit
from ramify.core.kernels.pointers import array, call, copy_bytes, record
from ramify.core.numbers.rng import below, weighted

OPEN_LOOP = np.dtype(
    [
        ("rooms", np.int64),  # the column of places kept for the children of a node; 0: as many as it has
        ("needed", np.int64),  # nodes that the last simulation lacked room for
    ]
)
NO_ROOM = -1  # instead of a number of moves, and of the length of a path
NOT_MET = -1  # instead of the number of a child
GONE = -1  # the move of a record that moved elsewhere


@entry
def search_open(game, plan, memory, block_, simulations, calls):
    """Simulate until ``simulations`` or ``calls`` (totals since the start) are spent, or a status says why not."""
    counters = record(memory.counters, COUNTERS)
    episode = record(memory.episode, EPISODE)
    block = record(block_, OPEN_LOOP)
    rng = array(memory.rng, 1, np.uint64)
    while counters.simulations < simulations and counters.calls < calls:
        copy_state(game, memory.state, memory.root)
        begun = rng[0]
        depth, drawn = descend(game, plan, memory, block, counters)
        if depth == NO_ROOM:
            rng[0] = begun
            return FULL
        simulate(game, plan, memory, episode, depth, depth, counters, drawn)
        backpropagate(memory, depth)
        counters.simulations += 1
        status = tell(plan.observers, memory.episode)
        if status != DONE:
            return status
    return DONE


@entry
def expand_open(game, plan, memory, block_):
    """Give the root the children of its position and no others; how many, NO_ROOM, or 0 when the game is over there."""
    counters = record(memory.counters, COUNTERS)
    copy_state(game, memory.state, memory.root)
    here = node_at(memory.nodes, ROOT)
    if here.first < 0:
        return add_moves(game, plan, memory, ROOT, counters)
    count = meet(game, plan, memory, record(block_, OPEN_LOOP), ROOT, counters)
    if count > 0:
        here.visits = seen(memory, here)
        here.hidden = 0
    return count


@jit
def descend(game, plan, memory, block, counters):
    """Select, and expand once; the length of the path, and how many outcomes of chance were drawn on it."""
    path = array(memory.path, MAX_DEPTH + 1, np.int64)
    rng = array(memory.rng, 1, np.uint64)
    path[0] = ROOT
    depth = 0
    drawn = 0
    expanded = False
    while depth < MAX_DEPTH:
        here = node_at(memory.nodes, path[depth])
        fresh = here.first < 0
        if fresh:
            due = here.visits >= plan.expand_threshold or depth == 0
            if expanded or not due:
                break
            if counters.nodes + game.max_children > memory.capacity:
                block.needed = game.max_children
                return NO_ROOM, drawn
            expanded = True
            count = add_moves(game, plan, memory, path[depth], counters)
        elif depth == 0:
            count = np.int64(here.live)
        else:
            count = meet(game, plan, memory, block, path[depth], counters)
        if count == NO_ROOM:
            return NO_ROOM, drawn
        if count == 0:
            break
        first = np.int64(here.first)
        if fresh and depth > 0 and plan.inner.evenly:
            node = first + (below(rng, count) if count > 1 else 0)
        else:
            chooser = plan.inner if depth else plan.root
            visits = seen(memory, here) if depth else np.int64(here.visits)
            node = first + choose_after(chooser, memory, path[depth], here, visits)
        call(game.play, (game.rules, memory.state, np.int64(node_at(memory.nodes, node).move)))
        depth += 1
        path[depth] = node
        drawn += draw_outcomes(game, memory)
    return depth, drawn


@jit
def choose_after(chooser, memory, node, here, visits):
    """As ``choose`` of the sequential loop, where N is not the number of the node's visits."""
    if chooser.prepare:
        call(chooser.prepare, (chooser.prepare_block, memory.episode, np.int64(node)))
    children = memory.nodes + np.int64(here.first) * NODE_BYTES
    return call(chooser.select, (children, np.int64(here.live), visits, chooser.block))


@jit
def draw_outcomes(game, memory):
    """Let chance move as long as it is its turn; how often it did."""
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
def seen(memory, here):
    """The visits of a node, those of children that policies do not see left out."""
    visits = np.int64(here.visits)
    last = np.int64(here.first) + np.int64(here.live) + np.int64(here.hidden)
    for child in range(np.int64(here.first) + np.int64(here.live), last):
        visits -= node_at(memory.nodes, child).visits
    return visits


@jit
def add_moves(game, plan, memory, node, counters):
    """Give a node its first children, which remember whose moves they are; how many."""
    count = add_children(game, plan, memory, node, counters)
    here = node_at(memory.nodes, node)
    for k in range(count):
        node_at(memory.nodes, np.int64(here.first) + k).spare = here.mover
    return count


@jit
def meet(game, plan, memory, block, node, counters):
    """Bring the children that are legal now to the front; how many, NO_ROOM, or 0: the game is over.

    More than a node can hide end the path like the end of the game; they are played out from here.
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
    while placed < min(count, total) and leads(memory, first + placed, mover, moves[placed]):
        placed += 1
    if placed < count:
        listed = array(memory.scratch, count, np.int64)
        listed[:] = moves
        fresh = gather_fresh(memory, first, placed, total, mover, listed, moves)
        if total + fresh - count > MOST_HIDDEN:
            return np.int64(0)
        if fresh > 0:
            if not make_room(game, memory, block, node, total, fresh, counters):
                return np.int64(NO_ROOM)
            first = np.int64(here.first)
            add_fresh(plan, memory, first + total, fresh, mover)
            total += fresh
        for k in range(placed, count):
            child = find(memory, first, k, total, k, mover, listed[k])
            swap_nodes(memory.nodes, memory.columns, memory.rows, memory.stride, first + k, child)
    here.mover = mover
    here.live = count
    here.hidden = total - count
    return count


@jit
def leads(memory, child, mover, move):
    """Whether a child is a player's move."""
    edge = node_at(memory.nodes, child)
    return edge.move == move and edge.spare == mover


@jit
def find(memory, first, low, total, start, mover, move):
    """The number of the child that is a player's move, looked for from ``start`` on; NOT_MET where there is none."""
    for k in range(start, total):
        if leads(memory, first + k, mover, move):
            return first + k
    for k in range(low, start):
        if leads(memory, first + k, mover, move):
            return first + k
    return np.int64(NOT_MET)


@jit
def gather_fresh(memory, first, placed, total, mover, listed, moves):
    """Write those of the listed moves that are no children yet to ``moves``; how many."""
    fresh = 0
    start = np.int64(placed)
    for k in range(placed, len(listed)):
        child = find(memory, first, placed, total, start, mover, listed[k])
        if child == NOT_MET:
            moves[fresh] = listed[k]
            fresh += 1
        else:
            start = child + 1 - first
    return fresh


@jit
def make_room(game, memory, block, node, total, fresh, counters):
    """Have places for more children of a node; whether the tree has so much room."""
    here = node_at(memory.nodes, node)
    room = array(block.rooms + 8 * node, 1, np.int64)
    if total + fresh <= room[0]:
        return True
    wanted = 2 * (total + fresh)
    if counters.nodes + wanted + game.max_children > memory.capacity:
        block.needed = wanted + game.max_children
        return False
    first, place = np.int64(here.first), np.int64(counters.nodes)
    copy_bytes(memory.nodes + place * NODE_BYTES, memory.nodes + first * NODE_BYTES, total * NODE_BYTES)
    copy_columns(memory.columns, memory.stride, first, memory.columns, memory.stride, place, memory.rows, total)
    for k in range(total):
        node_at(memory.nodes, first + k).move = GONE
    here.first = place
    room[0] = wanted
    counters.nodes += wanted
    return True


@jit
def add_fresh(plan, memory, place, fresh, mover):
    """Make records of moves that a node had not met, which stand in the buffer of moves."""
    moves = array(memory.moves, fresh, np.int64)
    for k in range(fresh):
        child = node_at(memory.nodes, place + k)
        make_fresh(child, moves[k])
        child.spare = mover
    clear_columns(memory.columns, memory.rows, memory.stride, place, fresh)
    for k in range(plan.heralds.count):
        herald = record(plan.heralds.address + k * CALLEE_BYTES, CALLEE)
        call(herald.kernel, (herald.block, memory.episode, np.int64(place), np.int64(fresh)))
