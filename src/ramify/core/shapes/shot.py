"""SHOT: sequential halving at every node of the tree.

A node receives a budget and spends it on its children in rounds (``core.shapes.shot_rounds``), recursively. The
recursion is a stack of *frames*, each with the position of its node, so a playout starts from a copy of that position
rather than from the root. The loop can stop after any simulation and resume.

A node with a budget:

* Terminal node: ``shot`` counts the whole budget as visits (simulations of 0 plies); the original counts one visit that
  costs nothing.
* Chance node: the budget is distributed over the outcomes by systematic sampling. Of the points (j + u) / budget,
  j = 0, 1, ..., with one uniform draw u, each outcome gets those in its interval: exact in sum, unbiased on average.
* Budget within the limit of H-MCTS: that many simulations as in the tree shape, starting here.
* Otherwise: one playout per untried child, then rounds. A child with a budget of 1 gets one playout.
* In a warm-up depth-first or breadth-first: one playout per node, in that order from the root.

``shot`` follows V. Putrich and F. Meneguzzi, "Monte Carlo Algorithms for Time-Constrained General Game Playing" (2023).
The original is that of T. Cazenave, "Sequential Halving Applied to Trees" (2014), which carries budgets over.

Random numbers are drawn in the order of the simulations. A chance node draws u when it receives a budget.
"""

from typing import NamedTuple

import numpy as np

from ramify.core.kernels.compiling import jit
from ramify.core.kernels.pointers import array, call, record
from ramify.core.numbers.rng import uniform
from ramify.core.search.episode import EPISODE, MAX_DEPTH
from ramify.core.search.plan import ENOUGH, FULL
from ramify.core.search.steps import add_children, copy_state, credit_path
from ramify.core.search.tree import CHANCE, TERMINAL, UNEXPANDED, node_at
from ramify.core.search.verbs import (
    backpropagate,
    begin,
    count,
    expand,
    grow,
    moves_made,
    select,
    status_of,
    within_limits,
)
from ramify.core.shapes.shot_rounds import (
    BREADTH_FIRST,
    DESCENDING,
    DISCOVERING,
    ENTERED,
    OUTCOMES,
    OVER,
    PLAIN_SEARCH,
    ROUNDS,
    SHOT_TASK,
    TOO_DEEP,
    UNTRIED,
    all_served,
    frame_at,
    is_stopped,
    next_budget,
    push,
    sort_children,
    state_at,
)
from ramify.core.shapes.tree import TREE


class ShotStack(NamedTuple):
    """The shape: addresses of the stack and of its buffers."""

    task: int
    frames: int
    capacity: int  # of ``frames``
    states: int  # address: the address of each frame's position; the first is the root's
    means: int  # buffers for sorting, one item per child
    order: int
    spare: int


# In place of a path's length.
NO_ROOM = -1
FINISHED = -2


@within_limits.of(ShotStack)
def within_limits_shot(shape, counters, simulations, calls):
    """Whether ``work`` and ``calls`` are below their limits. Simulations that are only counted are not work."""
    return record(shape.task, SHOT_TASK).work < simulations and counters.calls < calls


@begin.of(ShotStack)
def begin_shot(shape, game, memory, counters):
    """``next_simulation`` starts at a frame and checks for room."""
    return True


@select.of(ShotStack)
def select_shot(shape, game, plan, memory, depth, counters):
    return next_simulation(game, plan, memory, shape, counters)


@expand.of(ShotStack)
def expand_shot(shape, game, plan, memory, depth, counters):
    """Return ``depth``: ``enter`` has expanded the nodes."""
    return depth


@status_of.of(ShotStack)
def status_of_shot(shape, memory, depth):
    """FULL if the tree or the stack must grow, ENOUGH if the budget is spent."""
    return FULL if depth == NO_ROOM else ENOUGH


@moves_made.of(ShotStack)
def moves_made_shot(shape, depth):
    """Moves played from the frame's position."""
    return record(shape.task, SHOT_TASK).moved


@backpropagate.of(ShotStack)
def backpropagate_shot(shape, memory, depth):
    """Credit the path with ``count`` simulations of the same result."""
    credit_path(memory, depth, record(shape.task, SHOT_TASK).count)


@count.of(ShotStack)
def count_shot(shape, episode, counters):
    """Charge the simulation to the frame on top. Simulations of a finished game may be free."""
    task = record(shape.task, SHOT_TASK)
    cost = 0 if task.free and episode.plies == 0 else task.count
    counters.simulations += cost
    frame_at(shape, task.depth).used += cost
    task.work += 1
    task.played += episode.plies > 0


@jit
def next_simulation(game, plan, memory, stack, counters):
    """Find the next simulation and write its path. Return its depth, NO_ROOM or FINISHED."""
    task = record(stack.task, SHOT_TASK)
    while task.depth >= 0:
        frame = frame_at(stack, task.depth)
        if frame.used >= frame.budget or is_stopped(task, frame):
            leave(memory, stack, frame)
        elif task.depth + 1 == stack.capacity or counters.nodes + game.max_children > memory.capacity:
            return NO_ROOM
        elif frame.stage == ENTERED:
            enter(game, plan, memory, stack, frame, counters)
        elif frame.stage >= OVER:
            return simulate_from_frame(game, plan, memory, stack, frame, counters)
        else:
            budget = next_budget(memory, stack, frame)
            if budget < 0:
                all_served(memory, stack, frame)
            elif budget > 0 and step_down(game, memory, stack, frame, budget, counters):
                return task.depth + 1
    return FINISHED


@jit
def simulate_from_frame(game, plan, memory, stack, frame, counters):
    """Start a simulation at the frame on top. Return its depth."""
    task = record(stack.task, SHOT_TASK)
    depth = task.depth
    task.count = 1
    task.free = 0
    task.moved = 0
    record(memory.episode, EPISODE).first_chosen_level = depth
    copy_state(game, memory.state, state_at(stack, depth))
    if frame.stage == PLAIN_SEARCH:
        inherit_ancestors(plan, memory, depth)
        below = select(TREE, game, plan, memory, depth, counters)
        below = grow(TREE, game, plan, memory, below, counters)
        task.moved = below - depth
        return below
    if frame.stage == OVER and task.carries_over:
        task.free = 1
        frame.budget = 0
    elif frame.stage == OVER and plan.on_simulation.count == 0 and plan.reward.kernel == 0:
        task.count = frame.budget - frame.used
    return depth


@jit
def step_down(game, memory, stack, frame, budget, counters):
    """Play the move to the child whose turn it is. Return True if a playout follows, False if it got a frame."""
    task = record(stack.task, SHOT_TASK)
    depth = task.depth
    node = np.int64(node_at(memory.nodes, frame.node).first) + frame.place - 1
    copy_state(game, memory.state, state_at(stack, depth))
    call(game.play, (game.rules, memory.state, np.int64(node_at(memory.nodes, node).move)))
    array(memory.path, MAX_DEPTH + 1, np.int64)[depth + 1] = node
    discovered = frame.stage in (UNTRIED, DISCOVERING)
    if discovered or (budget == 1 and task.limit == 0 and frame.stage != DESCENDING):
        task.count = 1
        task.moved = 1
        record(memory.episode, EPISODE).first_chosen_level = depth + 1
        task.free = 0 if discovered else task.carries_over
        return True
    counters.calls += 1
    copy_state(game, state_at(stack, depth + 1), memory.state)
    push(stack, depth + 1, node, budget)
    return False


@jit
def enter(game, plan, memory, stack, frame, counters):
    """Set the stage of a node that has received a budget."""
    task = record(stack.task, SHOT_TASK)
    array(memory.path, MAX_DEPTH + 1, np.int64)[task.depth] = frame.node
    if frame.budget <= task.limit:
        frame.stage = PLAIN_SEARCH
        return
    if task.depth == MAX_DEPTH:
        frame.stage = TOO_DEEP
        frame.budget *= task.order == 0
        return
    here = node_at(memory.nodes, frame.node)
    if here.first == UNEXPANDED:
        copy_state(game, memory.state, state_at(stack, task.depth))
        add_children(game, plan, memory, frame.node, counters)
    frame.place = 0
    task.found += task.order == BREADTH_FIRST and task.depth == task.level and here.first != TERMINAL
    if here.first == TERMINAL:
        frame.stage = OVER
        frame.budget *= task.order == 0  # a warm-up visits every node once
    elif here.mover == CHANCE:
        frame.stage = OUTCOMES
        frame.point = uniform(array(memory.rng, 1, np.uint64))
        frame.reached = 0.0
        frame.given = 0
    elif task.order:
        frame.stage = DISCOVERING
        frame.left = here.live
    else:
        frame.stage = UNTRIED
        frame.left = here.live
        frame.pool = 0
        if task.carries_over:
            for k in range(here.live):
                frame.pool += node_at(memory.nodes, np.int64(here.first) + k).visits


@jit
def leave(memory, stack, frame):
    """Pop the frame and charge its cost to the parent. At the root, sort the best children to the front."""
    task = record(stack.task, SHOT_TASK)
    if task.depth > 0:
        frame_at(stack, task.depth - 1).used += frame.used
    elif frame.stage in (UNTRIED, ROUNDS):
        sort_children(memory, stack, frame.node, frame.left)
    task.depth -= 1


@jit
def inherit_ancestors(plan, memory, depth):
    """Call ``before_select`` for the ancestors of a simulation that starts below the root (GRAVE)."""
    path = array(memory.path, depth + 1, np.int64)
    for level in range(depth):
        selector = plan.inner if level else plan.root
        if selector.before_select:
            call(selector.before_select, (selector.before_select_block, memory.episode, path[level]))
