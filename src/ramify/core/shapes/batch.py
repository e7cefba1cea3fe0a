"""The search with a batch of simulations in flight: many lanes descend one tree, a step at a time.

For games that make a step in many positions at once for little more than in one (``FLIGHT`` says what they must be able
to do). Every lane is one simulation. It descends the tree, adds children to a leaf, is played out, is backed up and
begins again at the root; between two steps of the batch each lane chooses its next move, one lane after another
(``core.shapes.batch_slot``).

Simulations in flight are counted as in WU-UCT (Liu et al. 2020): a lane that enters a node is a visit at once, for
which the node's present mean stands, or 1/2 where there is none, until the result is known. What is known lies in
a column beside the tree, as does the number of lanes below each node. Policies see visits and totals and work
unchanged, and with one lane the tree is that of the sequential loop, node for node.
"""

import numpy as np

from ramify.core.kernels.compiling import entry, jit
from ramify.core.kernels.pointers import array, call, record
from ramify.core.numbers.rng import below
from ramify.core.search.episode import EPISODE
from ramify.core.search.plan import COUNTERS, DONE, FULL
from ramify.core.search.steps import announce, make_fresh, tell
from ramify.core.search.tree import (
    EVERYBODY,
    MOST_PLAYERS,
    NODE_BYTES,
    ROOT,
    TERMINAL,
    UNEXPANDED,
    clear_columns,
    node_at,
)
from ramify.core.shapes.batch_slot import (
    DEEPEST,
    DRAW,
    FLIGHT,
    IDLE,
    OUT,
    PATH_BYTES,
    bring_path,
    bring_trace,
    next_move,
)
from ramify.errors import BadMoveCountError, SimultaneousError

FULL_TREE = -2  # instead of a move: there is no room for more nodes
UNKNOWN_MEAN = 0.5


@entry
def fly(game, plan, memory, flight_, simulations, calls, starts, steps):
    """Simulate until so many ``simulations``, ``calls`` or ``steps`` are done, or a status says why not.

    All numbers are totals since the start. New simulations begin as long as there are fewer than ``starts``, finished
    or not. What is in flight when this ends goes on when it is called again.
    """
    flight = record(flight_, FLIGHT)
    counters = record(memory.counters, COUNTERS)
    while True:
        while flight.lane < flight.lanes:
            if not turn(game, plan, memory, flight, flight.lane, starts, counters):
                return FULL
            flight.lane += 1
        nothing = flight.flying == 0 and counters.simulations >= starts
        if nothing or counters.simulations >= simulations or counters.calls >= calls or flight.steps >= steps:
            return DONE
        call(flight.step, (flight.block,))
        flight.steps += 1
        flight.lane = 0


@entry
def abandon(memory, flight_):
    """Forget the simulations in flight, as if they had never begun; the children that they found stay."""
    flight = record(flight_, FLIGHT)
    nodes = array(flight.nodes, flight.lanes, np.int64)
    depths = array(flight.depths, flight.lanes, np.int64)
    for lane in range(flight.lanes):
        if nodes[lane] == IDLE:
            continue
        path = array(flight.paths + PATH_BYTES * lane, DEEPEST + 2, np.int64)
        node_at(memory.nodes, ROOT).visits -= 1
        for level in range(1, depths[lane] + 1):
            here = node_at(memory.nodes, path[level])
            pending = array(flight.pending + 8 * path[level], 1, np.float64)
            here.visits -= 1
            pending[0] -= 1.0
            here.total = expected(here, pending[0], array(flight.known + 8 * path[level], 1, np.float64)[0])
        nodes[lane] = IDLE
    flight.flying = 0


@jit
def turn(game, plan, memory, flight, lane, starts, counters):
    """Decide what a lane does in the next step; whether there was room for it."""
    nodes = array(flight.nodes, flight.lanes, np.int64)
    chosen = array(flight.chosen, flight.lanes, np.int64)
    if nodes[lane] == IDLE:
        if counters.simulations + flight.flying >= starts:
            call(flight.restart, (flight.block, lane))
            return True
        take_off(memory, flight, lane)
    if call(flight.over, (flight.block, lane)):
        close(plan, memory, nodes[lane])
        finish(game, plan, memory, flight, lane, 0, counters)
        return True
    chosen[lane] = DRAW
    if nodes[lane] != OUT:
        move = descend(game, plan, memory, flight, lane, counters)
        if move == FULL_TREE:
            return False
        if move != DRAW:
            chosen[lane] = move
            return True
        nodes[lane] = OUT
    plies = array(flight.plies, flight.lanes, np.int64)
    if plies[lane] == record(memory.episode, EPISODE).limit:
        finish(game, plan, memory, flight, lane, 1, counters)
        return True
    if plan.playout.block:
        chosen[lane] = next_move(game, plan, memory, flight, lane, plies[lane] == 0)
    plies[lane] += 1
    return True


@jit
def take_off(memory, flight, lane):
    """Begin a simulation in a lane that is at the root."""
    array(flight.nodes, flight.lanes, np.int64)[lane] = ROOT
    array(flight.depths, flight.lanes, np.int64)[lane] = 0
    array(flight.plies, flight.lanes, np.int64)[lane] = 0
    array(flight.made, flight.lanes, np.int64)[lane] = 0
    array(flight.paths + PATH_BYTES * lane, 1, np.int64)[0] = ROOT
    flight.flying += 1
    node_at(memory.nodes, ROOT).visits += 1


@jit
def close(plan, memory, node):
    """Note that the game is over at a node, where the sequential search would find out."""
    if node >= 0:
        here = node_at(memory.nodes, node)
        if here.first == UNEXPANDED and (here.visits - 1 >= plan.expand_threshold or node == ROOT):
            here.first = TERMINAL


@jit
def descend(game, plan, memory, flight, lane, counters):
    """Choose a child of the node that a lane is at; the move there, DRAW where the tree ends, or FULL_TREE."""
    nodes = array(flight.nodes, flight.lanes, np.int64)
    depth = array(flight.depths, flight.lanes, np.int64)[lane]
    here = node_at(memory.nodes, nodes[lane])
    visits = np.int64(here.visits) - 1  # but this one
    fresh = False
    if here.first == UNEXPANDED:
        due = visits >= plan.expand_threshold or depth == 0
        if not due or depth >= DEEPEST:
            return np.int64(DRAW)
        if counters.nodes + game.max_children > memory.capacity:
            return np.int64(FULL_TREE)
        add_children(game, plan, memory, flight, lane, here, counters)
        fresh = True
    elif here.first < 0 or depth >= DEEPEST:
        return np.int64(DRAW)
    chooser = plan.inner if depth else plan.root
    if fresh and depth and chooser.evenly:
        count = np.int64(here.live)
        place = below(array(memory.rng, 1, np.uint64), count) if count > 1 else np.int64(0)
    else:
        children = memory.nodes + np.int64(here.first) * NODE_BYTES
        place = call(chooser.select, (children, np.int64(here.live), visits, chooser.block))
    child = np.int64(here.first) + place
    enter(memory, flight, child)
    depth += 1
    array(flight.depths, flight.lanes, np.int64)[lane] = depth
    array(flight.paths + PATH_BYTES * lane, DEEPEST + 2, np.int64)[depth] = child
    nodes[lane] = OUT if fresh else child
    return np.int64(node_at(memory.nodes, child).move)


@jit
def add_children(game, plan, memory, flight, lane, here, counters):
    """Append the children of a node, at whose position a lane is."""
    mover = call(flight.mover, (flight.block, lane))
    if mover == EVERYBODY:
        raise SimultaneousError
    count = call(flight.legal, (flight.block, lane, memory.moves))
    if count < 1 or count > game.max_children:
        raise BadMoveCountError
    moves = array(memory.moves, count, np.int64)
    first = counters.nodes
    for k in range(count):
        make_fresh(node_at(memory.nodes, first + k), moves[k])
    clear_columns(memory.columns, memory.rows, memory.stride, first, count)
    announce(plan, memory, first, count)
    here.mover = mover
    here.live = count
    here.first = first
    counters.nodes += count


@jit
def enter(memory, flight, node):
    """Count a lane that enters a node."""
    here = node_at(memory.nodes, node)
    pending = array(flight.pending + 8 * node, 1, np.float64)
    here.visits += 1
    pending[0] += 1.0
    here.total = expected(here, pending[0], array(flight.known + 8 * node, 1, np.float64)[0])


@jit
def expected(here, pending, known):
    """The total of a node: what is known, and its mean for each simulation that is not finished."""
    if pending == 0.0:
        return known
    finished = here.visits - pending
    return known + pending * (known / finished if finished > 0.0 else UNKNOWN_MEAN)


@jit
def finish(game, plan, memory, flight, lane, cut, counters):
    """Value a simulation, back it up, and put the lane back to the root."""
    episode = record(memory.episode, EPISODE)
    depth = array(flight.depths, flight.lanes, np.int64)[lane]
    plies = array(flight.plies, flight.lanes, np.int64)[lane]
    bring_path(memory, flight, lane)
    if cut:
        array(memory.scores, game.players, np.float64)[:] = 0.5
        counters.cut += 1
        counters.cut_calls += depth + plies
    else:
        call(flight.scores, (flight.block, lane, memory.scores))
    episode.cut = cut
    episode.number = counters.simulations
    episode.plies = plies
    if plan.reward.kernel:
        call(plan.reward.kernel, (plan.reward.block, memory.episode))
    counters.calls += depth + plies
    counters.deepest = max(counters.deepest, depth)
    path = array(memory.path, depth + 1, np.int64)
    scores = array(memory.scores, MOST_PLAYERS, np.float64)
    parent = node_at(memory.nodes, ROOT)
    for level in range(1, depth + 1):
        node = node_at(memory.nodes, path[level])
        known = array(flight.known + 8 * path[level], 1, np.float64)
        pending = array(flight.pending + 8 * path[level], 1, np.float64)
        known[0] += scores[max(parent.mover, 0)]
        pending[0] -= 1.0
        node.total = expected(node, pending[0], known[0])
        parent = node
    counters.simulations += 1
    if plan.observers.count:
        bring_trace(memory, flight, lane)
        tell(plan.observers, memory.episode)
    flight.flying -= 1
    array(flight.nodes, flight.lanes, np.int64)[lane] = IDLE
    call(flight.restart, (flight.block, lane))
