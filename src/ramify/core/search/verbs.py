"""The verbs of the search loop: the functions that a shape can override.

Each verb below is the version of the tree. A shape overrides it with ``@step.of(Graph)`` in its file of
``core.shapes``. ``verb(grow)`` turns a helper into a verb whose overriding versions can still call the helper.
"""

import numpy as np

from ramify.core.kernels.compiling import jit, verb
from ramify.core.kernels.pointers import array, call
from ramify.core.search.episode import MAX_DEPTH
from ramify.core.search.plan import FULL
from ramify.core.search.steps import add_children, check_rewards, copy_state, credit_path, draw_outcome, pick
from ramify.core.search.tree import CHANCE, ROOT, UNEXPANDED, node_at


@jit
def start(game, memory):
    copy_state(game, memory.state, memory.root)
    array(memory.path, 1, np.int64)[0] = ROOT


@verb
def within_limits(shape, counters, simulations, calls):
    return counters.simulations < simulations and counters.calls < calls


@verb
def begin(shape, game, memory, counters):
    """Start a simulation at the root. Return False if the tree has no room for new children."""
    if counters.nodes + game.max_children > memory.capacity:
        return False
    start(game, memory)
    return True


@verb
def inside(shape, game, plan, memory, node, depth, counters):
    """Whether to descend below ``node``. ``memory.state`` is its position."""
    return node_at(memory.nodes, node).first >= 0


@verb
def add(shape, game, plan, memory, node, depth, counters):
    """Add the children of ``node``; ``memory.state`` is its position. Return their number; 0 if the game is over."""
    return add_children(game, plan, memory, node, counters)


@verb
def open_root(shape, game, plan, memory, counters):
    """Expand the root. Return the number of children; 0 if the game is over."""
    return add(shape, game, plan, memory, ROOT, 0, counters)


@verb
def status_of(shape, memory, depth):
    """Return the status of the loop after ``select`` or ``expand`` returned a negative ``depth``."""
    return FULL


@verb
def moves_made(shape, depth):
    """Number of moves of the path played in this simulation (SHOT starts below the root)."""
    return depth


@verb
def backpropagate(shape, memory, depth):
    credit_path(memory, depth)


@verb
def count(shape, episode, counters):
    counters.simulations += 1


@jit
def step_single(shape, game, selector, memory, node, depth, uniformly, counters):
    """Play the policy's move, or a chance outcome. Return the child."""
    here = node_at(memory.nodes, node)
    first = np.int64(here.first)
    if here.mover == CHANCE:
        child = first + draw_outcome(memory, first, here.live)
    else:
        child = first + pick(selector, memory, node, here, uniformly)
    call(game.play, (game.rules, memory.state, np.int64(node_at(memory.nodes, child).move)))
    return child


step = verb(step_single)


@verb
def select(shape, game, plan, memory, depth, counters):
    """Descend from ``path[depth]`` to a leaf, extending the path. Return the depth; negative: see ``status_of``."""
    path = array(memory.path, MAX_DEPTH + 1, np.int64)
    node = path[depth]
    selector = plan.inner if depth else plan.root
    while depth < MAX_DEPTH and inside(shape, game, plan, memory, node, depth, counters):
        node = step(shape, game, selector, memory, node, depth, False, counters)
        depth += 1
        path[depth] = node
        selector = plan.inner
    return depth


@jit
def grow(shape, game, plan, memory, depth, counters):
    """Expand the leaf if it has reached ``expand_threshold``, and step to a child. Return the depth."""
    path = array(memory.path, MAX_DEPTH + 1, np.int64)
    leaf = path[depth]
    here = node_at(memory.nodes, leaf)
    due = here.visits >= plan.expand_threshold or depth == 0
    if here.first != UNEXPANDED or not due or depth == MAX_DEPTH:
        return depth
    if add(shape, game, plan, memory, leaf, depth, counters) == 0:
        return depth
    selector = plan.inner if depth else plan.root
    path[depth + 1] = step(shape, game, selector, memory, leaf, depth, depth > 0 and plan.inner.first_uniform, counters)
    return depth + 1


expand = verb(grow)


@jit
def play_from_leaf(shape, game, plan, memory):
    """Play out ``memory.state`` and write the scores. Return the plies, or -1 - plies if cut by the ply limit."""
    plies = call(plan.playout.kernel, (game.rules, memory.state, memory.episode, plan.playout.block))
    if plies >= 0:
        call(game.scores, (game.rules, memory.state, memory.scores))
    elif plan.evaluate_cutoff:
        call(plan.evaluate_cutoff, (game.rules, memory.state, memory.scores))
    else:
        array(memory.scores, game.players, np.float64)[:] = 0.5
    return plies


play_out = verb(play_from_leaf)


@jit
def simulate(shape, game, plan, memory, episode, depth, counters):
    """Play out, apply the reward, and write the results to the episode and the counters."""
    episode.depth = depth
    plies = play_out(shape, game, plan, memory)
    cut = plies < 0
    plies = -1 - plies if cut else plies
    calls = moves_made(shape, depth) + plies
    if cut:
        counters.cut_playouts += 1
        counters.cut_calls += calls
    episode.cut = cut
    episode.number = counters.simulations
    episode.plies = plies
    if plan.reward.kernel:
        call(plan.reward.kernel, (plan.reward.block, memory.episode))
        check_rewards(memory, game.players)
    counters.calls += calls
    counters.max_depth = max(counters.max_depth, depth)
