"""The search loop of games where everybody moves at once in some positions: each player chooses by itself.

A position where everybody moves has a *seat* for every player, side by side. A seat is a node like any where that
player moves: its children are the player's moves, its *arms*, and policies choose among them as among any children, by
what is known of each move whatever the others did. So each choice costs what it costs in a game of turns.

What the moves of all lead to is a *joint child*, made when it is first met: below each arm of the first player is a row
with a place for each arm of the second, and so on; those of the last player are the joint children. A joint child is
one record a player, side by side, each with that player's sums; the first one is the position, with whatever is below.
The ``move`` of each is the place of that player's arm among the children of its seat.

With two players and two moves each:

    position -> seat 0 -> arm 0 -> (0, 0) (0, 1)
                          arm 1 -> (1, 0) (1, 1)      of two records each
                seat 1 -> arm 0, arm 1

The sums of an arm are those of the joint children that it is part of: visits and rewards, and, for the deviation, the
squares of rewards. As P. Perick et al. ("Comparison of Different Selection Strategies in Monte-Carlo Tree Search for
the Game of Tron", 2012) print it, the deviation of an arm is rather the mean of those of its joint children, weighted
by visits; there is a column then for that sum, and the arm has the squares from which policies work out the same.

Turns and chance are as in the tree shape, draw for draw. Where everybody moves, the player who searches draws
first, then the others in their order; swapped players who draw in swapped order make the same search, mirrored.
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
        ("codes", np.int64),  # address of one move a player, as ``play_joint`` takes them
        ("places", np.int64),  # address: the places of these moves among the arms of each seat
        ("family", np.int64),  # nodes that a simulation may add, at most
        ("spread", np.int64),  # the column of sums of the joint children's deviations; 0: squares are pooled
    ]
)

# What a record is, in its field ``spare``: 0 for a position.
SEAT = 1
ARM = 2
ROW = 3  # of a player between the first and the last
OTHER_PLAYER = 4  # the sums of another player at a joint child


class Joint(NamedTuple):
    """The shape: where the JOINT record is."""

    block: int


@begin.of(Joint)
def begin_simultaneous(shape, game, memory, counters):
    """A family is more than children."""
    if counters.nodes + record(shape.block, SIMULTANEOUS_BLOCK).family > memory.capacity:
        return False
    start(game, memory)
    return True


@step.of(Joint)
def step_simultaneous(shape, game, chooser, memory, node, depth, evenly, counters):
    """Everybody moves, or one player, or chance."""
    here = node_at(memory.nodes, node)
    if here.mover == SIMULTANEOUS:
        return step_joint(game, chooser, memory, record(shape.block, SIMULTANEOUS_BLOCK), here, evenly, counters)
    return step_single(shape, game, chooser, memory, node, depth, evenly, counters)


@add.of(Joint)
def add_simultaneous(shape, game, plan, memory, node, depth, counters):
    """Children, or seats with their arms."""
    return add_children_or_seats(game, plan, memory, record(shape.block, SIMULTANEOUS_BLOCK), node, counters)


@jit
def step_joint(game, chooser, memory, joint, here, evenly, counters):
    """Let everybody choose, not knowing what the others do, and make these moves; the joint child."""
    codes = array(joint.codes, joint.players, np.int64)
    places = array(joint.places, joint.players, np.int64)
    player = record(memory.episode, EPISODE).player
    for _ in range(joint.players):
        seat = np.int64(here.first) + player
        own = node_at(memory.nodes, seat)
        places[player] = pick(chooser, memory, seat, own, evenly)
        codes[player] = node_at(memory.nodes, np.int64(own.first) + places[player]).move
        player = player + 1 if player + 1 < joint.players else 0
    call(game.play_joint, (game.rules, memory.state, joint.codes))
    return joint_child(memory, joint, here, counters)


@jit
def add_children_or_seats(game, plan, memory, joint, node, counters):
    """Append the children of ``node``, or its seats and their arms; how many, 0 when the game is over there."""
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
        seat.spare = SEAT
        for k in range(count):
            arm = node_at(memory.nodes, seats + size + k)
            arm.move = moves[k]
            arm.chance = 1.0 / count
            arm.spare = ARM
        size += count
    here.mover = SIMULTANEOUS
    here.live = joint.players
    here.first = seats
    counters.nodes += size
    return size


@jit
def reset_nodes(memory, first, count):
    """Make records that nothing is known of, with their columns."""
    for k in range(count):
        reset_node(node_at(memory.nodes, first + k), 0)
    clear_columns(memory.columns, memory.rows, memory.stride, first, count)


@jit
def joint_child(memory, joint, here, counters):
    """The joint child of the moves chosen; it and its siblings are made if it is the first of them to be met."""
    places = array(joint.places, joint.players, np.int64)
    seats = np.int64(here.first)
    at = np.int64(node_at(memory.nodes, seats).first) + places[0]
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
        place = places[player] if player < joint.players else np.int64(0)
        at = np.int64(above.first) + (joint.players * place if last else place)
    return at


@jit
def add_arm_row(memory, player, count, counters):
    """Append a row with a place for each arm of a player, below which that of the next one stands; its length."""
    reset_nodes(memory, counters.nodes, count)
    for k in range(count):
        place = node_at(memory.nodes, counters.nodes + k)
        place.move = k
        place.mover = player
        place.spare = ROW
    counters.nodes += count
    return count


@jit
def add_joint_children(memory, joint, count, counters):
    """Append a row of joint children: the last player's arms with what the others have chosen; its length."""
    places = array(joint.places, joint.players, np.int64)
    length = joint.players * count
    reset_nodes(memory, counters.nodes, length)
    for k in range(count):
        for player in range(joint.players):
            own = node_at(memory.nodes, counters.nodes + joint.players * k + player)
            own.move = places[player] if player < joint.players - 1 or joint.players == 1 else k
            own.spare = OTHER_PLAYER if player else 0
    counters.nodes += length
    return length


@backpropagate.of(Joint)
def backpropagate_simultaneous(shape, memory, depth):
    """Credit every node on the path: below a position where everybody moves, each player's arm and joint child."""
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
    """Add a reward to a node's sums."""
    here = node_at(memory.nodes, node)
    here.visits += 1
    here.total += reward
    if memory.squares:
        array(memory.squares + 8 * node, 1, np.float64)[0] += reward * reward


@jit
def credit_arm(memory, joint, arm, child, reward):
    """The same for an arm and a joint child of one player; see the module for their squares."""
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
    """The deviation of a node's rewards times its visits."""
    here = node_at(memory.nodes, node)
    if here.visits == 0:
        return 0.0
    mean = here.total / here.visits
    squares = array(memory.squares + 8 * node, 1, np.float64)[0]
    return here.visits * sqrt(max(squares / here.visits - mean * mean, 0.0))


@jit
def find_joint_child(nodes, position, places_, players):
    """The number of the joint child of some places among the arms; -1 where it was not met."""
    places = array(places_, players, np.int64)
    seats = np.int64(node_at(nodes, position).first)
    at = np.int64(node_at(nodes, seats).first) + places[0]
    for player in range(1, max(players, 2)):
        first = np.int64(node_at(nodes, at).first)
        if first < 0:
            return np.int64(-1)
        place = places[player] if player < players else np.int64(0)
        at = first + (players * place if player >= players - 1 else place)
    return at


@entry
def depth_of(nodes, size, depths_):
    """The longest path of a tree in which parents stand before their children; ``depths_`` is room for all nodes."""
    depths = array(depths_, size, np.int64)
    depths[ROOT] = 0
    deepest = np.int64(0)
    for node in range(size):
        here = node_at(nodes, node)
        if here.first >= 0:
            for k in range(np.int64(here.first), np.int64(here.first) + here.live + here.hidden):
                depths[k] = depths[node] + (node_at(nodes, k).spare == 0)
                deepest = max(deepest, depths[k])
    return deepest
