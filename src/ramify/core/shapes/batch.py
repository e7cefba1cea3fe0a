"""The batch: many simulations at once, all descending one tree.

For games that step many positions at once at little more than the cost of one (``BATCH`` lists the kernels they need).
Each *slot* holds one simulation. It descends the tree, expands a leaf, is played out and backed up, and starts again at
the root. Between two steps of the batch the slots choose their next moves, one after another
(``core.shapes.batch_slot``). In the search loop, ``select`` returns the next simulation that has ended.

Unfinished simulations are counted as in WU-UCT (Liu et al. 2020): a slot that enters a node adds a visit at once. Until
the result is known, it is valued at the node's current mean, or at 1/2 without one. One column holds the known
rewards, another the number of pending slots below each node. Policies read visits and totals as usual. With one slot
the tree is identical to that of the tree shape.
"""

from typing import NamedTuple

import numpy as np

from ramify.core.kernels.compiling import entry, jit
from ramify.core.kernels.pointers import array, call, record
from ramify.core.numbers.rng import below
from ramify.core.search.episode import EPISODE
from ramify.core.search.plan import DONE, FULL
from ramify.core.search.steps import append_children
from ramify.core.search.tree import (
    MAX_PLAYERS,
    NODE_BYTES,
    ROOT,
    SIMULTANEOUS,
    TERMINAL,
    UNEXPANDED,
    node_at,
)
from ramify.core.search.verbs import (
    backpropagate,
    begin,
    count,
    expand,
    play_out,
    select,
    status_of,
    within_limits,
)
from ramify.core.shapes.batch_slot import (
    BATCH,
    IDLE,
    IN_PLAYOUT,
    MAX_BATCH_DEPTH,
    PATH_BYTES,
    RANDOM_MOVE,
    load_path,
    load_trace,
    next_move,
)
from ramify.errors import BadMoveCountError, SimultaneousError

FULL_TREE = -2  # in place of a move: the tree has no room for more nodes
UNKNOWN_MEAN = 0.5

# Results of ``advance_slot``.
CONTINUES, ENDED, CUT, NO_ROOM = range(4)

# In place of a path's length.
PAUSED = -1  # a limit was reached
LACKS_ROOM = -2


class Batch(NamedTuple):
    """The shape: address of the BATCH record, and limits checked once per step; all are totals.

    New simulations start while finished and running ones together are fewer than ``starts``. Simulations still running
    when the loop returns continue at its next call.
    """

    block: int
    simulations: int
    calls: int
    starts: int
    steps: int


@within_limits.of(Batch)
def within_limits_batch(shape, counters, simulations, calls):
    """``select`` checks the limits between steps."""
    return True


@begin.of(Batch)
def begin_batch(shape, game, memory, counters):
    """Slots start by themselves, and ``descend`` checks for room."""
    return True


@select.of(Batch)
def select_batch(shape, game, plan, memory, depth, counters):
    """Run the batch until a simulation ends, and load its path. Return its depth, PAUSED or LACKS_ROOM."""
    batch = record(shape.block, BATCH)
    while True:
        while batch.slot < batch.slots:
            slot = batch.slot
            did = advance_slot(game, plan, memory, batch, slot, shape.starts, counters)
            if did == NO_ROOM:
                return np.int64(LACKS_ROOM)
            batch.slot += 1
            if did != CONTINUES:
                batch.finished = slot
                batch.cut = did == CUT
                load_path(memory, batch, slot)
                if plan.on_simulation.count:
                    load_trace(memory, batch, slot)
                return array(batch.depths, batch.slots, np.int64)[slot]
        idle = batch.running == 0 and counters.simulations >= shape.starts
        spent = counters.simulations >= shape.simulations or counters.calls >= shape.calls
        if idle or spent or batch.steps >= shape.steps:
            return np.int64(PAUSED)
        call(batch.step, (batch.block,))
        batch.steps += 1
        batch.slot = 0


@expand.of(Batch)
def expand_batch(shape, game, plan, memory, depth, counters):
    """Slots expand leaves in ``descend``."""
    return depth


@status_of.of(Batch)
def status_of_batch(shape, memory, depth):
    return DONE if depth == PAUSED else FULL


@play_out.of(Batch)
def play_out_batch(shape, game, plan, memory):
    """Score the slot whose playout has ended."""
    batch = record(shape.block, BATCH)
    plies = array(batch.plies, batch.slots, np.int64)[batch.finished]
    if batch.cut:
        array(memory.scores, game.players, np.float64)[:] = 0.5
        return -1 - plies
    call(batch.scores, (batch.block, np.int64(batch.finished), memory.scores))
    return plies


@backpropagate.of(Batch)
def backpropagate_batch(shape, memory, depth):
    """Replace provisional rewards by the known ones. Visits were counted on the way down."""
    batch = record(shape.block, BATCH)
    path = array(memory.path, depth + 1, np.int64)
    scores = array(memory.scores, MAX_PLAYERS, np.float64)
    parent = node_at(memory.nodes, ROOT)
    for level in range(1, depth + 1):
        node = node_at(memory.nodes, path[level])
        known = array(batch.known + 8 * path[level], 1, np.float64)
        pending = array(batch.pending + 8 * path[level], 1, np.float64)
        known[0] += scores[max(parent.mover, 0)]
        pending[0] -= 1.0
        node.total = provisional_total(node, pending[0], known[0])
        parent = node


@count.of(Batch)
def count_batch(shape, episode, counters):
    """Count the simulation and return its slot to the root."""
    batch = record(shape.block, BATCH)
    counters.simulations += 1
    batch.running -= 1
    array(batch.nodes, batch.slots, np.int64)[batch.finished] = IDLE
    call(batch.restart, (batch.block, np.int64(batch.finished)))


@entry
def discard_unfinished(memory, block):
    """Undo the visits of running simulations. Nodes that they added stay."""
    batch = record(block, BATCH)
    nodes = array(batch.nodes, batch.slots, np.int64)
    depths = array(batch.depths, batch.slots, np.int64)
    for slot in range(batch.slots):
        if nodes[slot] == IDLE:
            continue
        path = array(batch.paths + PATH_BYTES * slot, MAX_BATCH_DEPTH + 2, np.int64)
        node_at(memory.nodes, ROOT).visits -= 1
        for level in range(1, depths[slot] + 1):
            here = node_at(memory.nodes, path[level])
            pending = array(batch.pending + 8 * path[level], 1, np.float64)
            here.visits -= 1
            pending[0] -= 1.0
            here.total = provisional_total(here, pending[0], array(batch.known + 8 * path[level], 1, np.float64)[0])
        nodes[slot] = IDLE
    batch.running = 0


@jit
def advance_slot(game, plan, memory, batch, slot, starts, counters):
    """Choose the next action of a slot. Return CONTINUES, ENDED, CUT or NO_ROOM."""
    nodes = array(batch.nodes, batch.slots, np.int64)
    chosen = array(batch.chosen, batch.slots, np.int64)
    if nodes[slot] == IDLE:
        if counters.simulations + batch.running >= starts:
            call(batch.restart, (batch.block, slot))
            return CONTINUES
        start_simulation(memory, batch, slot)
    if call(batch.over, (batch.block, slot)):
        mark_terminal(plan, memory, nodes[slot])
        return ENDED
    chosen[slot] = RANDOM_MOVE
    if nodes[slot] != IN_PLAYOUT:
        move = descend(game, plan, memory, batch, slot, counters)
        if move == FULL_TREE:
            return NO_ROOM
        if move != RANDOM_MOVE:
            chosen[slot] = move
            return CONTINUES
        nodes[slot] = IN_PLAYOUT
    plies = array(batch.plies, batch.slots, np.int64)
    if plies[slot] == record(memory.episode, EPISODE).limit:
        return CUT
    if plan.playout.block:
        chosen[slot] = next_move(game, plan, memory, batch, slot, plies[slot] == 0)
    plies[slot] += 1
    return CONTINUES


@jit
def start_simulation(memory, batch, slot):
    """Start a simulation in a slot whose position is the root's."""
    array(batch.nodes, batch.slots, np.int64)[slot] = ROOT
    array(batch.depths, batch.slots, np.int64)[slot] = 0
    array(batch.plies, batch.slots, np.int64)[slot] = 0
    array(batch.trace_lengths, batch.slots, np.int64)[slot] = 0
    array(batch.paths + PATH_BYTES * slot, 1, np.int64)[0] = ROOT
    batch.running += 1
    node_at(memory.nodes, ROOT).visits += 1


@jit
def mark_terminal(plan, memory, node):
    """Mark a node as terminal under the conditions in which the tree shape would."""
    if node >= 0:
        here = node_at(memory.nodes, node)
        if here.first == UNEXPANDED and (here.visits - 1 >= plan.expand_threshold or node == ROOT):
            here.first = TERMINAL


@jit
def descend(game, plan, memory, batch, slot, counters):
    """Step to a child of the slot's node, expanding it if due. Return the move, RANDOM_MOVE or FULL_TREE."""
    nodes = array(batch.nodes, batch.slots, np.int64)
    depth = array(batch.depths, batch.slots, np.int64)[slot]
    here = node_at(memory.nodes, nodes[slot])
    visits = np.int64(here.visits) - 1  # without this one
    fresh = False
    if here.first == UNEXPANDED:
        due = visits >= plan.expand_threshold or depth == 0
        if not due or depth >= MAX_BATCH_DEPTH:
            return np.int64(RANDOM_MOVE)
        if counters.nodes + game.max_children > memory.capacity:
            return np.int64(FULL_TREE)
        add_children(game, plan, memory, batch, slot, here, counters)
        fresh = True
    elif here.first < 0 or depth >= MAX_BATCH_DEPTH:
        return np.int64(RANDOM_MOVE)
    selector = plan.inner if depth else plan.root
    if fresh and depth and selector.first_uniform:
        live = np.int64(here.live)
        place = below(array(memory.rng, 1, np.uint64), live) if live > 1 else np.int64(0)
    else:
        children = memory.nodes + np.int64(here.first) * NODE_BYTES
        place = call(selector.select, (children, np.int64(here.live), visits, selector.block))
    child = np.int64(here.first) + place
    add_virtual_visit(memory, batch, child)
    depth += 1
    array(batch.depths, batch.slots, np.int64)[slot] = depth
    array(batch.paths + PATH_BYTES * slot, MAX_BATCH_DEPTH + 2, np.int64)[depth] = child
    nodes[slot] = IN_PLAYOUT if fresh else child
    return np.int64(node_at(memory.nodes, child).move)


@jit
def add_children(game, plan, memory, batch, slot, here, counters):
    """Append the children of a slot's node."""
    mover = call(batch.mover, (batch.block, slot))
    if mover == SIMULTANEOUS:
        raise SimultaneousError
    count = call(batch.legal, (batch.block, slot, memory.moves))
    if count < 1 or count > game.max_children:
        raise BadMoveCountError
    append_children(plan, memory, here, mover, count, counters)


@jit
def add_virtual_visit(memory, batch, node):
    """Count a slot that enters a node (WU-UCT's unobserved sample)."""
    here = node_at(memory.nodes, node)
    pending = array(batch.pending + 8 * node, 1, np.float64)
    here.visits += 1
    pending[0] += 1.0
    here.total = provisional_total(here, pending[0], array(batch.known + 8 * node, 1, np.float64)[0])


@jit
def provisional_total(here, pending, known):
    """Total of a node: the known rewards plus its mean for each pending simulation."""
    if pending == 0.0:
        return known
    finished = here.visits - pending
    return known + pending * (known / finished if finished > 0.0 else UNKNOWN_MEAN)
