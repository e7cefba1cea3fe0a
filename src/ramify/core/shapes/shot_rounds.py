"""The frames of SHOT's stack and the arithmetic of its rounds: next child, its budget, survivors.

The children of a node are sorted by mean, stably and in place: all of them before the first round, the remaining ones
after each round (below the root not after the last).
"""

import numpy as np

from ramify.core.kernels.compiling import jit
from ramify.core.kernels.pointers import array, record
from ramify.core.search.tree import node_at, reorder

# Stages of a frame.
ENTERED, UNTRIED, ROUNDS, OUTCOMES, DISCOVERING, DESCENDING, OVER, TOO_DEEP, PLAIN_SEARCH = range(9)

DEPTH_FIRST, BREADTH_FIRST = 1, 2  # orders of a warm-up

FRAME = np.dtype(
    [
        ("node", np.int64),
        ("stage", np.int64),
        ("budget", np.int64),
        ("used", np.int64),
        ("pool", np.int64),  # budget of all rounds; in the original plus the children's earlier visits
        ("rounds", np.int64),  # number of rounds: ceil(log2(children))
        ("round", np.int64),  # from 1; above `rounds`: the remainder at the root goes to the best two
        ("left", np.int64),  # remaining children
        ("share", np.int64),  # budget per child in this round; in the original its target number of visits
        ("served", np.int64),  # number of children that get it
        ("place", np.int64),  # index of the next child
        ("point", np.float64),  # u
        ("reached", np.float64),  # end of the interval of the last outcome served
        ("given", np.int64),  # points up to `reached`
    ]
)
FRAME_BYTES = FRAME.itemsize

SHOT_TASK = np.dtype(
    [
        ("depth", np.int64),  # of the frame on top; -1: the stack is empty
        ("limit", np.int64),  # of H-MCTS: at or below this budget a plain search
        ("carries_over", np.int64),  # whether budgets are carried over (the original)
        ("work", np.int64),  # simulations actually run
        ("count", np.int64),  # number of simulations that the next one counts for
        ("moved", np.int64),  # moves played from the frame's position
        ("free", np.int64),  # whether it costs nothing if its playout has 0 plies
        ("stop", np.int64),  # the search ends after this many playouts of at least one ply; 0: never
        ("played", np.int64),  # such playouts of this search
        ("order", np.int64),  # of the warm-up; 0: not a warm-up
        ("level", np.int64),  # breadth-first: depth of the nodes whose children are discovered
        ("found", np.int64),  # breadth-first: number of nodes at that depth
    ]
)


@jit
def frame_at(stack, depth):
    return record(stack.frames + depth * FRAME_BYTES, FRAME)


@jit
def state_at(stack, depth):
    return array(stack.states + 8 * depth, 1, np.int64)[0]


@jit
def push(stack, depth, node, budget):
    """Push a frame for a node with a budget."""
    frame = frame_at(stack, depth)
    frame.node = node
    frame.stage = ENTERED
    frame.budget = budget
    frame.used = 0
    frame.round = 0
    frame.rounds = 0
    frame.left = 0
    record(stack.task, SHOT_TASK).depth = depth


@jit
def is_stopped(task, frame):
    """Whether the search has made its last playout. One that is trying the children of a node tries all of them."""
    return 0 < task.stop <= task.played and frame.stage != UNTRIED


@jit
def next_budget(memory, stack, frame):
    """Advance to the next child. Return its budget, possibly 0, or -1 if all were served."""
    if frame.stage == UNTRIED:
        return next_untried(memory, frame)
    if frame.stage == OUTCOMES:
        return next_outcome(memory, frame)
    if frame.stage in (DISCOVERING, DESCENDING):
        return next_discovered(memory, stack, frame)
    return next_share(memory, stack, frame)


@jit
def all_served(memory, stack, frame):
    """Start the next stage or round once every child has been served."""
    if frame.stage == UNTRIED:
        begin_rounds(memory, stack, frame)
    elif frame.stage == OUTCOMES:
        frame.budget = frame.used
    elif frame.stage == ROUNDS:
        end_round(memory, stack, frame)
    else:
        end_level(stack, frame)


@jit
def next_discovered(memory, stack, frame):
    """Return 1 for a child to discover by a playout, all that is left for one to descend to, or -1."""
    task = record(stack.task, SHOT_TASK)
    rest = frame.budget - frame.used
    deep = task.order == DEPTH_FIRST
    if deep and frame.stage == DISCOVERING and frame.place > 0:  # the child just discovered
        frame.stage = DESCENDING
        return rest
    here = node_at(memory.nodes, frame.node)
    while frame.place < here.live:
        frame.place += 1
        child = node_at(memory.nodes, np.int64(here.first) + frame.place - 1)
        if child.visits == 0 and (deep or task.depth == task.level):
            frame.stage = DISCOVERING
            return np.int64(1)
        if deep or task.depth < task.level:
            frame.stage = DESCENDING
            return rest
    return np.int64(-1)


@jit
def end_level(stack, frame):
    """Leave the node. Breadth-first the root starts the next level, unless this one had no nodes."""
    task = record(stack.task, SHOT_TASK)
    if task.depth > 0 or task.found == 0:
        frame.budget = frame.used
        return
    task.level += 1
    task.found = 0
    frame.place = 0


@jit
def next_untried(memory, frame):
    """Return 1 for the next untried child, or -1."""
    here = node_at(memory.nodes, frame.node)
    first = np.int64(here.first)
    for k in range(frame.place, np.int64(here.live)):
        if node_at(memory.nodes, first + k).visits == 0:
            frame.place = k + 1
            return np.int64(1)
    return np.int64(-1)


@jit
def begin_rounds(memory, stack, frame):
    """Sort all children, best first, and start the first round."""
    sort_children(memory, stack, frame.node, frame.left)
    while np.int64(1) << frame.rounds < frame.left:
        frame.rounds += 1
    carries_over = record(stack.task, SHOT_TASK).carries_over
    frame.pool += frame.budget if carries_over else frame.budget - frame.used
    frame.stage = ROUNDS
    frame.share = 0
    begin_round(stack, frame)


@jit
def begin_round(stack, frame):
    """Set the budget per child of the next round."""
    frame.round += 1
    frame.place = 0
    frame.served = frame.left
    if frame.round > frame.rounds:
        frame.share = -((frame.used - frame.budget) // frame.left)
    elif record(stack.task, SHOT_TASK).carries_over:
        frame.share += max(1, frame.pool // (frame.left * frame.rounds))
    else:
        whole = max(1, frame.pool // frame.rounds)
        frame.share = max(1, whole // frame.left)
        frame.served = min(whole, frame.left)


@jit
def next_share(memory, stack, frame):
    """Return the budget of the next child in this round, or -1."""
    if frame.place == frame.served:
        return np.int64(-1)
    task = record(stack.task, SHOT_TASK)
    rest = frame.budget - frame.used
    budget = frame.share
    if task.carries_over and frame.round <= frame.rounds:
        child = np.int64(node_at(memory.nodes, frame.node).first) + frame.place
        budget -= node_at(memory.nodes, child).visits
        if task.depth == 0 and frame.left == 2 and frame.place == 0:
            budget = max(budget, rest - max(0, frame.share - node_at(memory.nodes, child + 1).visits))
    frame.place += 1
    return min(max(0, budget), rest)


@jit
def end_round(memory, stack, frame):
    """Sort the remaining children and drop half. The remainder at the root goes to the best two."""
    at_root = record(stack.task, SHOT_TASK).depth == 0
    again = at_root and not record(stack.task, SHOT_TASK).carries_over
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
    """Return the budget of the next chance outcome, or -1."""
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
    """Sort the first ``count`` children of a node by mean, best first. The sort is stable."""
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
