"""SHOT: sequential halving in every node of the tree, a loop beside the sequential one.

A node is given a budget and spends it by rounds among its children, and so on below. The recursion is a stack of
*frames*, each with the position of its node: a playout starts with a copy of that, not with the moves from the root.
The loop stops after any simulation and goes on where it was.

At a node with a budget:

* the game is over: ``shot`` counts the whole budget as visits (a simulation of no plies each), the original one visit
  that costs nothing;
* chance: the budget is spread over the outcomes by systematic sampling: of the points (j + u) / budget, j = 0, 1, ...
  and u one uniform draw, each outcome gets those in its interval, which is exact in sum and right on average;
* it is not above the limit of H-MCTS: as many simulations of the sequential loop, which start here;
* otherwise one playout for each child never tried, then rounds; a child with a budget of 1 is one playout from there.

``shot`` follows V. Putrich and F. Meneguzzi, "Monte Carlo Algorithms for Time-Constrained General Game Playing" (2023).
The original is that of T. Cazenave, "Sequential Halving Applied to Trees" (2014), where budgets are carried over.

Children are sorted by their mean, stably and in their place: all of them before the first round, those still in after
each round (below the root not after the last). Random numbers are drawn in the order of simulations; a chance node
draws u when it is given a budget.
"""

from typing import NamedTuple

import numpy as np

from ramify.core.engine.episode import EPISODE, MAX_DEPTH
from ramify.core.engine.plan import COUNTERS, DONE, ENOUGH, FULL
from ramify.core.engine.search import add_children, backpropagate, copy_state, expand, select, simulate, tell
from ramify.core.engine.tree import CHANCE, TERMINAL, UNEXPANDED, node_at, reorder
from ramify.core.kernels.compiling import entry, jit
from ramify.core.kernels.pointers import array, call, record
from ramify.core.numbers.rng import uniform

# What is going on at a node.
ENTERED, UNTRIED, ROUNDS, OUTCOMES, OVER, TOO_DEEP, ORDINARY = range(7)

# Instead of a path's length.
NO_ROOM = -1
FINISHED = -2

FRAME = np.dtype(
    [
        ("node", np.int64),
        ("stage", np.int64),
        ("budget", np.int64),
        ("used", np.int64),
        ("pool", np.int64),  # what the rounds share; in the original with what the children had before
        ("rounds", np.int64),  # how many there are to be: the binary logarithm of the number of children
        ("round", np.int64),  # from 1; above `rounds`: what was left over at the root goes to the best two
        ("left", np.int64),  # children still in
        ("share", np.int64),  # what a child gets in this round; in the original how many visits it is to have
        ("served", np.int64),  # to how many of them
        ("place", np.int64),  # the child whose turn it is
        ("point", np.float64),  # u
        ("reached", np.float64),  # the end of the interval of the last outcome served
        ("given", np.int64),  # points up to there
    ]
)
FRAME_BYTES = FRAME.itemsize

TASK = np.dtype(
    [
        ("depth", np.int64),  # of the frame on top; -1: there is nothing to do
        ("limit", np.int64),  # of H-MCTS
        ("carries", np.int64),  # whether budgets are carried over, as in the original
        ("work", np.int64),  # simulations, and visits of finished games however many were counted at once
        ("count", np.int64),  # how many simulations the next one counts for
        ("free", np.int64),  # whether it costs nothing if the game is over where it starts
    ]
)


class Stack(NamedTuple):
    """Addresses of everything that this loop needs besides."""

    task: int
    frames: int
    room: int  # for so many
    states: int  # the address of each frame's position; the first is the root's
    means: int  # buffers for sorting, one item a child
    order: int
    spare: int


@entry
def shot(game, plan, memory, stack, calls, work):
    """Go on until ``calls`` or ``work`` (totals) are spent; ENOUGH when the whole budget is."""
    counters = record(memory.counters, COUNTERS)
    episode = record(memory.episode, EPISODE)
    task = record(stack.task, TASK)
    while task.work < work and counters.calls < calls:
        depth = next_simulation(game, plan, memory, stack, counters)
        if depth < 0:
            return FULL if depth == NO_ROOM else ENOUGH
        simulate(game, plan, memory, episode, depth, counters)
        backpropagate(memory, depth, task.count)
        cost = 0 if task.free and episode.plies == 0 else task.count
        counters.simulations += cost
        frame_at(stack, task.depth).used += cost
        task.work += 1
        status = tell(plan.observers, memory.episode)
        if status != DONE:
            return status
    return DONE


@jit
def frame_at(stack, depth):
    """A frame."""
    return record(stack.frames + depth * FRAME_BYTES, FRAME)


@jit
def state_at(stack, depth):
    """The position of a frame."""
    return array(stack.states + 8 * depth, 1, np.int64)[0]


@jit
def push(stack, depth, node, budget):
    """A frame for a node that is given a budget."""
    frame = frame_at(stack, depth)
    frame.node = node
    frame.stage = ENTERED
    frame.budget = budget
    frame.used = 0
    frame.round = 0
    frame.rounds = 0
    frame.left = 0
    record(stack.task, TASK).depth = depth


@jit
def next_simulation(game, plan, memory, stack, counters):
    """Go to where the next simulation leaves the tree, and write its path; the length of that, or why there is none."""
    task = record(stack.task, TASK)
    while task.depth >= 0:
        if task.depth + 1 == stack.room or counters.nodes + game.max_children > memory.capacity:
            return NO_ROOM
        frame = frame_at(stack, task.depth)
        if frame.used >= frame.budget:
            leave(memory, stack, frame)
        elif frame.stage == ENTERED:
            enter(game, plan, memory, stack, frame, counters)
        elif frame.stage >= OVER:
            return from_here(game, plan, memory, stack, frame, counters)
        else:
            budget = next_budget(memory, stack, frame)
            if budget < 0:
                all_served(memory, stack, frame)
            elif budget > 0 and step_down(game, memory, stack, frame, budget, counters):
                return task.depth + 1
    return FINISHED


@jit
def from_here(game, plan, memory, stack, frame, counters):
    """A simulation that starts at the node of the frame on top; the length of its path."""
    task = record(stack.task, TASK)
    depth = task.depth
    task.count = 1
    task.free = 0
    record(memory.episode, EPISODE).chosen = depth
    copy_state(game, memory.state, state_at(stack, depth))
    if frame.stage == ORDINARY:
        inherit_above(plan, memory, depth)
        below = select(game, plan, memory, depth)
        below += expand(game, plan, memory, below, counters)
        counters.calls += below - depth
        return below
    if frame.stage == OVER and task.carries:
        task.free = 1
        frame.budget = 0
    elif frame.stage == OVER and plan.observers.count == 0 and plan.reward.kernel == 0:
        task.count = frame.budget - frame.used
    return depth


@jit
def step_down(game, memory, stack, frame, budget, counters):
    """Make the move to the child whose turn it was; whether a playout follows, or else it has a frame now."""
    task = record(stack.task, TASK)
    depth = task.depth
    node = np.int64(node_at(memory.nodes, frame.node).first) + frame.place - 1
    copy_state(game, memory.state, state_at(stack, depth))
    call(game.play, (game.rules, memory.state, np.int64(node_at(memory.nodes, node).move)))
    counters.calls += 1
    array(memory.path, MAX_DEPTH + 1, np.int64)[depth + 1] = node
    if frame.stage == UNTRIED or (budget == 1 and task.limit == 0):
        task.count = 1
        record(memory.episode, EPISODE).chosen = depth + 1
        task.free = 0 if frame.stage == UNTRIED else task.carries
        return True
    copy_state(game, state_at(stack, depth + 1), memory.state)
    push(stack, depth + 1, node, budget)
    return False


@jit
def next_budget(memory, stack, frame):
    """Turn to the next child; what it gets, perhaps nothing, or -1 when all of them were served."""
    if frame.stage == UNTRIED:
        return next_untried(memory, frame)
    if frame.stage == OUTCOMES:
        return next_outcome(memory, frame)
    return next_share(memory, stack, frame)


@jit
def all_served(memory, stack, frame):
    """Every child has had its turn: what comes now."""
    if frame.stage == UNTRIED:
        begin_rounds(memory, stack, frame)
    elif frame.stage == OUTCOMES:
        frame.budget = frame.used
    else:
        end_round(memory, stack, frame)


@jit
def enter(game, plan, memory, stack, frame, counters):
    """Find out what is to be done at a node that has been given a budget."""
    task = record(stack.task, TASK)
    array(memory.path, MAX_DEPTH + 1, np.int64)[task.depth] = frame.node
    if frame.budget <= task.limit:
        frame.stage = ORDINARY
        return
    if task.depth == MAX_DEPTH:
        frame.stage = TOO_DEEP
        return
    here = node_at(memory.nodes, frame.node)
    if here.first == UNEXPANDED:
        copy_state(game, memory.state, state_at(stack, task.depth))
        add_children(game, plan, memory, frame.node, counters)
    frame.place = 0
    if here.first == TERMINAL:
        frame.stage = OVER
    elif here.mover == CHANCE:
        frame.stage = OUTCOMES
        frame.point = uniform(array(memory.rng, 1, np.uint64))
        frame.reached = 0.0
        frame.given = 0
    else:
        frame.stage = UNTRIED
        frame.left = here.live
        frame.pool = 0
        if task.carries:
            for k in range(here.live):
                frame.pool += node_at(memory.nodes, np.int64(here.first) + k).visits


@jit
def leave(memory, stack, frame):
    """Hand what was used to the parent's frame; the root leaves the best of its children first."""
    task = record(stack.task, TASK)
    if task.depth > 0:
        frame_at(stack, task.depth - 1).used += frame.used
    elif frame.stage in (UNTRIED, ROUNDS):
        sort_children(memory, stack, frame.node, frame.left)
    task.depth -= 1


@jit
def inherit_above(plan, memory, depth):
    """Let a chooser that looks at ancestors pass by those above a simulation that starts below the root."""
    path = array(memory.path, depth + 1, np.int64)
    for level in range(depth):
        chooser = plan.inner if level else plan.root
        if chooser.prepare:
            call(chooser.prepare, (chooser.prepare_block, memory.episode, path[level]))


@jit
def next_untried(memory, frame):
    """1 for the next child never tried, or -1."""
    here = node_at(memory.nodes, frame.node)
    first = np.int64(here.first)
    for k in range(frame.place, np.int64(here.live)):
        if node_at(memory.nodes, first + k).visits == 0:
            frame.place = k + 1
            return np.int64(1)
    return np.int64(-1)


@jit
def begin_rounds(memory, stack, frame):
    """All children are in again, the best of them first."""
    sort_children(memory, stack, frame.node, frame.left)
    while np.int64(1) << frame.rounds < frame.left:
        frame.rounds += 1
    carries = record(stack.task, TASK).carries
    frame.pool += frame.budget if carries else frame.budget - frame.used
    frame.stage = ROUNDS
    frame.share = 0
    begin_round(stack, frame)


@jit
def begin_round(stack, frame):
    """Say what each child gets."""
    frame.round += 1
    frame.place = 0
    frame.served = frame.left
    if frame.round > frame.rounds:
        frame.share = -((frame.used - frame.budget) // frame.left)
    elif record(stack.task, TASK).carries:
        frame.share += max(1, frame.pool // (frame.left * frame.rounds))
    else:
        whole = max(1, frame.pool // frame.rounds)
        frame.share = max(1, whole // frame.left)
        frame.served = min(whole, frame.left)


@jit
def next_share(memory, stack, frame):
    """What the next child gets in this round, or -1."""
    if frame.place == frame.served:
        return np.int64(-1)
    task = record(stack.task, TASK)
    rest = frame.budget - frame.used
    budget = frame.share
    if task.carries and frame.round <= frame.rounds:
        child = np.int64(node_at(memory.nodes, frame.node).first) + frame.place
        budget -= node_at(memory.nodes, child).visits
        if task.depth == 0 and frame.left == 2 and frame.place == 0:
            budget = max(budget, rest - max(0, frame.share - node_at(memory.nodes, child + 1).visits))
    frame.place += 1
    return min(max(0, budget), rest)


@jit
def end_round(memory, stack, frame):
    """Sort the children that are in, and drop half of them; what is left over at the root goes to the best two."""
    at_root = record(stack.task, TASK).depth == 0
    again = at_root and not record(stack.task, TASK).carries
    if at_root or frame.left > 2:
        sort_children(memory, stack, frame.node, frame.left)
    if frame.round <= frame.rounds:
        frame.left = (frame.left + 1) // 2
        again = again or frame.left > 1
        if frame.round == frame.rounds and again:
            frame.left = 2
    if again:
        begin_round(stack, frame)
    else:
        frame.budget = frame.used


@jit
def next_outcome(memory, frame):
    """What the next outcome of chance gets, or -1."""
    here = node_at(memory.nodes, frame.node)
    if frame.place == here.live:
        return np.int64(-1)
    frame.reached += node_at(memory.nodes, np.int64(here.first) + frame.place).chance
    frame.place += 1
    upto = frame.budget
    if frame.place < here.live:
        upto = min(upto, max(frame.given, np.int64(np.ceil(frame.reached * frame.budget - frame.point))))
    budget = upto - frame.given
    frame.given = upto
    return budget


@jit
def sort_children(memory, stack, node, count):
    """Put the first ``count`` children of a node in the order of their means, the best first; ties stay as they are."""
    first = np.int64(node_at(memory.nodes, node).first)
    means = array(stack.means, count, np.float64)
    order = array(stack.order, count, np.int64)
    moved = False
    for k in range(count):
        child = node_at(memory.nodes, first + k)
        mean = child.total / child.visits if child.visits else -np.inf
        j = k
        while j > 0 and means[j - 1] < mean:
            means[j] = means[j - 1]
            order[j] = order[j - 1]
            j -= 1
        means[j] = mean
        order[j] = k
        moved = moved or j < k
    if moved:
        reorder(memory.nodes, memory.columns, memory.rows, memory.stride, first, stack.order, count, stack.spare)
