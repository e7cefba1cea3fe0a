"""One position of a network game, evaluated by events: only what a change reaches is computed again.

The values of all gates belong to a *desk*, of which every search has its own; a state is nothing but its base
propositions. Whoever asks about a state first brings the desk to it: the bits in which it differs from the last one
asked about are flipped, and the changes run through the levels of the network (``wiring``). Legal moves, end, goals and
the next position are kept as bits that changes flip, so they need only be read. Sancho's players evaluate their
networks by events, too, from gate to gate.
"""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import entry, jit, kernel
from ramify.core.kernels.pointers import array, record
from ramify.core.numbers.bits import ONE, ZERO, bit, has, lowest, nth, popcount, without_lowest

SIX = np.uint64(6)

# Everything about a game that does not change, and where the desk is.
DESK = np.dtype(
    [
        # The game.
        ("words", np.int64),  # of a state's base propositions
        ("roles", np.int64),
        ("players", np.int64),  # roles but `random`
        ("chance", np.int64),  # the role `random`; -1 for none
        ("role_of", np.int64),  # address: the role of each player
        ("player_of", np.int64),  # address: the player of each role, or -1
        ("bases", np.int64),
        ("moves", np.int64),  # address: the number of each role's first move, and of all moves
        ("goals", np.int64),  # address of records: role, value, bit of the output
        ("goal_count", np.int64),
        # Its wiring.
        ("first", np.int64),  # the node of the first gate
        ("gates", np.int64),  # how many
        ("starts", np.int64),
        ("middles", np.int64),
        ("fans", np.int64),
        ("levels", np.int64),
        ("level_of", np.int64),  # address: of each gate
        ("level_starts", np.int64),  # address: the first gate of each level
        ("legal_words", np.int64),  # address: the word of the outputs in which each role's legal moves begin
        ("last_legal", np.int64),  # the word of the outputs behind them all; the end of the game is its first bit
        ("owners", np.int64),  # address: whose legal move each output is; the number of roles for anything else
        # The desk.
        ("falses", np.int64),  # address: how many inputs of each gate are false
        ("values", np.int64),  # address: of each gate
        ("queued", np.int64),  # address: whether a gate is in its level's queue
        ("queue", np.int64),  # address: level by level
        ("lengths", np.int64),  # address: of each level's queue
        ("outputs", np.int64),  # address: words; next position, legal moves of each role, end and goals
        ("counts", np.int64),  # address: of each role's legal moves
        ("state", np.int64),  # address: the base propositions that the values are of
        ("made", np.int64),  # address: the move of each role that they are of
        ("joint", np.int64),  # address: room for one move a role
        # What brings it to a state, and what makes moves there: kernels, so that others need not contain them.
        ("bring", np.int64),
        ("make", np.int64),
    ]
)

GOAL = np.dtype([("role", np.int64), ("score", np.float64), ("bit", np.int64)])


@jit
def flip(desk, node, value):
    """Tell all that depend on an input or a gate that its value has become another."""
    starts = array(desk.starts + 8 * node, 2, np.int64)
    middle = array(desk.middles + 8 * node, 1, np.int64)[0]
    fans = array(desk.fans, starts[1], np.int32)
    falses = array(desk.falses, desk.gates, np.int32)
    queued = array(desk.queued, desk.gates, np.uint8)
    for at in range(starts[0], middle):
        fan = np.int64(fans[at])
        gate = fan >> 1
        true = value ^ (fan & 1)
        left = np.int64(falses[gate]) + 1 - 2 * true
        falses[gate] = left
        if left == 1 - true and queued[gate] == 0:
            queued[gate] = 1
            enqueue(desk, gate)
    for at in range(middle, starts[1]):
        fan = np.int64(fans[at])
        set_output(desk, fan >> 1, value ^ (fan & 1))


@jit
def enqueue(desk, gate):
    """Have a gate looked at when its level's turn comes."""
    level = np.int64(array(desk.level_of + 4 * gate, 1, np.int32)[0])
    length = array(desk.lengths + 8 * level, 1, np.int64)
    begin = array(desk.level_starts + 8 * level, 1, np.int64)[0]
    array(desk.queue + 4 * (begin + length[0]), 1, np.int32)[0] = gate
    length[0] += 1


@jit
def set_output(desk, position, value):
    """Flip a bit of the outputs, which gets that value."""
    word = array(desk.outputs + 8 * (position >> 6), 1, np.uint64)
    word[0] ^= bit(position & 63)
    owner = np.int64(array(desk.owners + position, 1, np.uint8)[0])
    array(desk.counts + 8 * owner, 1, np.int64)[0] += 2 * value - 1


@jit
def run_levels(desk):
    """Let the changes run through the network."""
    lengths = array(desk.lengths, desk.levels, np.int64)
    begins = array(desk.level_starts, desk.levels, np.int64)
    queue = array(desk.queue, desk.gates, np.int32)
    falses = array(desk.falses, desk.gates, np.int32)
    queued = array(desk.queued, desk.gates, np.uint8)
    values = array(desk.values, desk.gates, np.uint8)
    for level in range(desk.levels):
        count = lengths[level]
        if count == 0:
            continue
        lengths[level] = 0
        begin = begins[level]
        for at in range(begin, begin + count):
            gate = np.int64(queue[at])
            queued[gate] = 0
            value = 1 if falses[gate] == 0 else 0
            if value != np.int64(values[gate]):
                values[gate] = value
                flip(desk, desk.first + gate, value)


@entry
def begin(rules, literals, positions):
    """Evaluate the network from the beginning: nothing is true, and everybody makes the move at ``desk.made``."""
    desk = record(rules, DESK)
    for k in range(len(literals)):
        if literals[k] & 1:
            set_output(desk, positions[k], 1)
    falses = array(desk.falses, desk.gates, np.int32)
    queued = array(desk.queued, desk.gates, np.uint8)
    for gate in range(desk.gates):
        if falses[gate] == 0:
            queued[gate] = 1
            enqueue(desk, gate)
    made = array(desk.made, desk.roles, np.int64)
    for role in range(desk.roles):
        flip(desk, 1 + desk.bases + made[role], 1)
    run_levels(desk)


def bring(rules, state):
    """Bring the desk to a state."""
    desk = record(rules, DESK)
    wanted = array(state, desk.words, np.uint64)
    known = array(desk.state, desk.words, np.uint64)
    changed = False
    for k in range(desk.words):
        difference = wanted[k] ^ known[k]
        if difference == ZERO:
            continue
        changed = True
        known[k] = wanted[k]
        while difference != ZERO:
            position = lowest(difference)
            difference = without_lowest(difference)
            flip(desk, 1 + 64 * k + position, 1 if has(wanted[k], position) else 0)
    if changed:
        run_levels(desk)
    return 0


def make(rules, state):
    """Make the moves at ``desk.joint``, one a role, in the state that the desk is brought to."""
    desk = record(rules, DESK)
    joint = array(desk.joint, desk.roles, np.int64)
    made = array(desk.made, desk.roles, np.int64)
    changed = False
    for role in range(desk.roles):
        if joint[role] != made[role]:
            flip(desk, 1 + desk.bases + made[role], 0)
            flip(desk, 1 + desk.bases + joint[role], 1)
            made[role] = joint[role]
            changed = True
    if changed:
        run_levels(desk)
    following = array(desk.outputs, desk.words, np.uint64)
    words = array(state, desk.words, np.uint64)
    for k in range(desk.words):
        words[k] = following[k]
    return 0


@cache
def bring_kernel():
    """``bring``, compiled."""
    return kernel(bring)


@cache
def make_kernel():
    """``make``, compiled."""
    return kernel(make)


@jit
def ended(desk):
    """Whether the game is over in the state that the desk is brought to; also where somebody has no move."""
    if array(desk.outputs + 8 * desk.last_legal, 1, np.uint64)[0] & ONE != ZERO:
        return True
    counts = array(desk.counts, desk.roles, np.int64)
    for role in range(desk.roles):
        if counts[role] == 0:
            return True
    return False


@jit
def nth_legal(desk, role, n):
    """The n-th legal move of a role, counted from 0."""
    begin = array(desk.legal_words + 8 * role, 1, np.int64)[0]
    first = array(desk.moves + 8 * role, 1, np.int64)[0]
    words = array(desk.outputs + 8 * begin, desk.last_legal - begin, np.uint64)
    k = 0
    while True:
        here = popcount(words[k])
        if n < here:
            return first + 64 * k + nth(words[k], n)
        n -= here
        k += 1


@jit
def list_legal(desk, role, moves):
    """Write the legal moves of a role; how many."""
    bounds = array(desk.legal_words + 8 * role, 2, np.int64)
    first = array(desk.moves + 8 * role, 1, np.int64)[0]
    words = array(desk.outputs, bounds[1], np.uint64)
    count = 0
    for k in range(bounds[0], bounds[1]):
        word = words[k]
        while word != ZERO:
            moves[count] = first + 64 * (k - bounds[0]) + lowest(word)
            word = without_lowest(word)
            count += 1
    return count


@jit
def write_scores(desk, out):
    """Write the players' goals: of several that hold the highest, 0 where none does."""
    player_of = array(desk.player_of, desk.roles, np.int64)
    for player in range(desk.players):
        out[player] = 0.0
    for k in range(desk.goal_count):
        goal = record(desk.goals + GOAL_BYTES * k, GOAL)
        word = array(desk.outputs + 8 * (goal.bit >> 6), 1, np.uint64)[0]
        player = player_of[goal.role]
        if player >= 0 and has(word, goal.bit & 63):
            out[player] = max(out[player], goal.score)


GOAL_BYTES = GOAL.itemsize
