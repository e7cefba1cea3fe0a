"""Simultaneous moves: each player chooses independently (decoupled selection).

A position with simultaneous moves has one *seat* per player, stored contiguously. A seat is a node at which that player
moves. Its children are the player's moves, its *arms*, and policies choose among them as usual, by statistics over all
moves of the other players. So each choice costs the same as in a game of turns.

A joint move leads to a *joint child*, added when it is first reached: below each arm of the first player is a row with
one record per arm of the second, and so on; the last player's rows hold the joint children. A joint child is one record
per player, contiguous, each with that player's sums; the first one is the position and has its subtree. The ``move`` of
each is the index of that player's arm among the children of its seat.

With two players and two moves each:

    position -> seat 0 -> arm 0 -> (0, 0) (0, 1)
                          arm 1 -> (1, 0) (1, 1)      of two records each
                seat 1 -> arm 0, arm 1

The sums of an arm are those over its joint children: visits, rewards and, for the deviation, squared rewards. In the
definition of P. Perick et al. ("Comparison of Different Selection Strategies in Monte-Carlo Tree Search for the Game of
Tron", 2012) the deviation of an arm is instead the mean of the deviations of its joint children, weighted by visits. A
column then holds that sum, and the arm's squares are set so that policies compute the same deviation.

Turns and chance are as in the tree shape, draw for draw. At simultaneous moves the searching player draws first, then
the others in order. So a search with swapped players is the mirror image of the original.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from ramify.core.kernels.compiling import entry, jit
from ramify.core.kernels.pointers import array, call, record
from ramify.core.search.episode import EPISODE, MAX_DEPTH
from ramify.core.search.steps import add_children, pick, reset_node
from ramify.core.search.tree import MAX_PLAYERS, ROOT, SIMULTANEOUS, UNEXPANDED, clear_columns, node_at
from ramify.core.search.verbs import add, backpropagate, begin, start, step, step_single
from ramify.errors import BadMoveCountError

SIMULTANEOUS_BLOCK = np.dtype(
    [
        ("players", np.int64),
        ("codes", np.int64),  # address: one move per player, as ``play_joint`` takes them
        ("arm_of_player", np.int64),  # address: the index of each of these moves among the arms of its seat
        ("max_new_nodes", np.int64),  # maximum number of nodes that a simulation adds
        ("spread", np.int64),  # column: sums of the joint children's deviations; 0: squares are pooled
    ]
)

# Values of ``tag``; 0: a position.
SEAT = 1
ARM = 2
ROW = 3  # a record in a row of a player between the first and the last
OTHER_PLAYER = 4  # another player's sums at a joint child


class Simultaneous(NamedTuple):
    """The shape: address of the SIMULTANEOUS_BLOCK record."""

    block: int


@begin.of(Simultaneous)
def begin_simultaneous(shape, game, memory, counters):
    """Start a simulation. Return False if the tree has no room for seats, arms and joint children."""
    if counters.nodes + record(shape.block, SIMULTANEOUS_BLOCK).max_new_nodes > memory.capacity:
        return False
    start(game, memory)
    return True


@step.of(Simultaneous)
def step_simultaneous(shape, game, selector, memory, node, depth, uniformly, counters):
    """Play a joint move, one player's move, or a chance outcome. Return the child."""
    here = node_at(memory.nodes, node)
    if here.mover == SIMULTANEOUS:
        return step_joint(game, selector, memory, record(shape.block, SIMULTANEOUS_BLOCK), here, uniformly, counters)
    return step_single(shape, game, selector, memory, node, depth, uniformly, counters)


@add.of(Simultaneous)
def add_simultaneous(shape, game, plan, memory, node, depth, counters):
    """Add children, or seats with their arms."""
    return add_children_or_seats(game, plan, memory, record(shape.block, SIMULTANEOUS_BLOCK), node, counters)


@jit
def step_joint(game, selector, memory, joint, here, uniformly, counters):
    """Choose a move for each player independently and play the joint move. Return the joint child."""
    codes = array(joint.codes, joint.players, np.int64)
    arms = array(joint.arm_of_player, joint.players, np.int64)
    player = record(memory.episode, EPISODE).player
    for _ in range(joint.players):
        seat = np.int64(here.first) + player
        own = node_at(memory.nodes, seat)
        arms[player] = pick(selector, memory, seat, own, uniformly)
        codes[player] = node_at(memory.nodes, np.int64(own.first) + arms[player]).move
        player = player + 1 if player + 1 < joint.players else 0
    call(game.play_joint, (game.rules, memory.state, joint.codes))
    return joint_child(memory, joint, here, counters)


@jit
def add_children_or_seats(game, plan, memory, joint, node, counters):
    """Append the children of ``node``, or its seats and arms. Return the number of nodes; 0 if the game is over."""
    mover = call(game.mover, (game.rules, memory.state))
    if mover != SIMULTANEOUS or call(game.over, (game.rules, memory.state)):
        return add_children(game, plan, memory, node, counters)
    here = node_at(memory.nodes, node)
    seats = counters.nodes
    size = joint.players
    for player in range(joint.players):
        count = call(game.legal_of, (game.rules, memory.state, player, memory.moves))
        if count < 1 or count > game.max_children:
            raise BadMoveCountError
        moves = array(memory.moves, count, np.int64)
        reset_nodes(memory, seats + player, 1)
        reset_nodes(memory, seats + size, count)
        seat = node_at(memory.nodes, seats + player)
        seat.first = seats + size
        seat.live = count
        seat.move = player
        seat.visits = here.visits
        seat.mover = player
        seat.tag = SEAT
        for k in range(count):
            arm = node_at(memory.nodes, seats + size + k)
            arm.move = moves[k]
            arm.chance = 1.0 / count
            arm.tag = ARM
        size += count
    here.mover = SIMULTANEOUS
    here.live = joint.players
    here.first = seats
    counters.nodes += size
    return size


@jit
def reset_nodes(memory, first, count):
    for k in range(count):
        reset_node(node_at(memory.nodes, first + k), 0)
    clear_columns(memory.columns, memory.rows, memory.stride, first, count)


@jit
def joint_child(memory, joint, here, counters):
    """Return the joint child of the chosen moves. Adds it and its siblings if it is the first of them."""
    arms = array(joint.arm_of_player, joint.players, np.int64)
    seats = np.int64(here.first)
    at = np.int64(node_at(memory.nodes, seats).first) + arms[0]
    for player in range(1, max(joint.players, 2)):
        above = node_at(memory.nodes, at)
        last = player >= joint.players - 1
        if above.first == UNEXPANDED:
            count = np.int64(node_at(memory.nodes, seats + player).live) if player < joint.players else np.int64(1)
            if last:
                above.live = add_joint_children(memory, joint, count, counters)
            else:
                above.live = add_arm_row(memory, player, count, counters)
            above.first = counters.nodes - above.live
        arm = arms[player] if player < joint.players else np.int64(0)
        at = np.int64(above.first) + (joint.players * arm if last else arm)
    return at


@jit
def add_arm_row(memory, player, count, counters):
    """Append a row with one record per arm of a player. Return its length."""
    reset_nodes(memory, counters.nodes, count)
    for k in range(count):
        entry = node_at(memory.nodes, counters.nodes + k)
        entry.move = k
        entry.mover = player
        entry.tag = ROW
    counters.nodes += count
    return count


@jit
def add_joint_children(memory, joint, count, counters):
    """Append a row of joint children: the last player's arms with the others' choices. Return its length."""
    arms = array(joint.arm_of_player, joint.players, np.int64)
    length = joint.players * count
    reset_nodes(memory, counters.nodes, length)
    for k in range(count):
        for player in range(joint.players):
            own = node_at(memory.nodes, counters.nodes + joint.players * k + player)
            own.move = arms[player] if player < joint.players - 1 or joint.players == 1 else k
            own.tag = OTHER_PLAYER if player else 0
    counters.nodes += length
    return length


@backpropagate.of(Simultaneous)
def backpropagate_simultaneous(shape, memory, depth):
    """Credit every node of the path; after a joint move each player's arm and record of the joint child."""
    joint = record(shape.block, SIMULTANEOUS_BLOCK)
    path = array(memory.path, MAX_DEPTH + 1, np.int64)
    scores = array(memory.scores, MAX_PLAYERS, np.float64)
    parent = node_at(memory.nodes, ROOT)
    parent.visits += 1
    for level in range(1, depth + 1):
        if parent.mover == SIMULTANEOUS:
            for player in range(joint.players):
                seat = node_at(memory.nodes, np.int64(parent.first) + player)
                seat.visits += 1
                own = path[level] + player
                arm = np.int64(seat.first) + node_at(memory.nodes, own).move
                credit_arm(memory, joint, arm, own, scores[player])
        else:
            credit(memory, path[level], scores[max(parent.mover, 0)])
        parent = node_at(memory.nodes, path[level])


@jit
def credit(memory, node, reward):
    here = node_at(memory.nodes, node)
    here.visits += 1
    here.total += reward
    if memory.squares:
        array(memory.squares + 8 * node, 1, np.float64)[0] += reward * reward


@jit
def credit_arm(memory, joint, arm, child, reward):
    """Credit one player's arm and record of the joint child. The module explains their squares."""
    if memory.squares == 0 or joint.spread == 0:
        credit(memory, child, reward)
        credit(memory, arm, reward)
        return
    before = spread_of(memory, child)
    credit(memory, child, reward)
    sums = array(joint.spread + 8 * arm, 1, np.float64)
    sums[0] += spread_of(memory, child) - before
    here = node_at(memory.nodes, arm)
    here.visits += 1
    here.total += reward
    mean = here.total / here.visits
    deviation = sums[0] / here.visits
    array(memory.squares + 8 * arm, 1, np.float64)[0] = here.visits * (deviation * deviation + mean * mean)


@jit
def spread_of(memory, node):
    """Standard deviation of a node's rewards times its visits."""
    here = node_at(memory.nodes, node)
    if here.visits == 0:
        return 0.0
    mean = here.total / here.visits
    squares = array(memory.squares + 8 * node, 1, np.float64)[0]
    return here.visits * sqrt(max(squares / here.visits - mean * mean, 0.0))


@jit
def find_joint_child(nodes, position, arms_, players):
    """Return the joint child for one arm index per player, or -1 if it does not exist."""
    arms = array(arms_, players, np.int64)
    seats = np.int64(node_at(nodes, position).first)
    at = np.int64(node_at(nodes, seats).first) + arms[0]
    for player in range(1, max(players, 2)):
        first = np.int64(node_at(nodes, at).first)
        if first < 0:
            return np.int64(-1)
        arm = arms[player] if player < players else np.int64(0)
        at = first + (players * arm if player >= players - 1 else arm)
    return at


@entry
def depth_of(nodes, size, depths_):
    """Return the depth of a tree whose parents precede their children. ``depths_``: buffer of ``size`` numbers."""
    depths = array(depths_, size, np.int64)
    depths[ROOT] = 0
    max_depth = np.int64(0)
    for node in range(size):
        here = node_at(nodes, node)
        if here.first >= 0:
            for k in range(np.int64(here.first), np.int64(here.first) + here.live + here.hidden):
                depths[k] = depths[node] + (node_at(nodes, k).tag == 0)
                max_depth = max(max_depth, depths[k])
    return max_depth
