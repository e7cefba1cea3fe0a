"""One position of a propnet game, evaluated by events: only what a change reaches is computed again.

The values of gates belong to a *evaluator*, of which every search has its own; a state is nothing but its base propositions.
Whoever asks about a state first brings the evaluator to it: the bits in which it differs from the last one asked about are
flipped, and the changes run through the levels of the propnet (``levels``). Legal moves and end are kept as bits that
changes flip, so they need only be read, the former by groups (``guards``). Goals are evaluated when they are asked for,
and moves are made by programs of their own (``effects``). Sancho's players evaluate their propnets by events, too, from
gate to gate.
"""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import entry, jit, kernel
from ramify.core.kernels.pointers import array, record
from ramify.core.numbers.bits import ONE, ZERO, bit, has, lowest, nth, popcount, without_lowest
from ramify.ggp.propnet.move_programs import MOVE_PROGRAMS, cached_program

# Everything about a game that does not change, and where the evaluator is. Nodes are: false, base propositions, moves,
# gates, and what is computed when it is asked for.
EVALUATOR = np.dtype(
    [
        # The game.
        ("words", np.int64),  # of a state's base propositions
        ("roles", np.int64),
        ("players", np.int64),  # roles but `random`
        ("chance", np.int64),  # the role `random`; -1 for none
        ("role_of", np.int64),  # address: the role of each player
        ("player_of", np.int64),  # address: the player of each role, or -1
        ("moves", np.int64),  # address: the number of each role's first move, and of all moves
        ("goals", np.int64),  # address of records: role, value, literal
        ("goal_count", np.int64),
        ("goal_gates", np.int64),  # address: two literals each, evaluated before goals are read
        ("goal_gate_count", np.int64),
        # Its wiring.
        ("first", np.int64),  # the node of the first gate
        ("gates", np.int64),  # how many
        ("nodes", np.int64),  # how many, and what is computed when it is asked for
        (
            "fan_bounds",
            np.int64,
        ),  # address: of each node where its gates begin, its outputs begin and end, and its level
        ("fans", np.int64),
        ("levels", np.int64),
        ("level_starts", np.int64),  # address: the first gate of each level
        ("legal_words", np.int64),  # address: the word of the outputs in which each role's legal moves begin
        ("last_legal", np.int64),  # the word of the outputs behind them all; the end of the game is its first bit
        ("guards", np.int64),  # outputs from here on are guards of groups
        ("owners", np.int64),  # address: the group of each output; 0 for what is no legal move
        ("group_roles", np.int64),  # address: whose moves each group has
        ("masks", np.int64),  # address: the bits of each group
        ("moved_bits", np.int64),  # address: the bits of a state that depend on moves
        # The evaluator.
        ("falses", np.int64),  # address: how many inputs of each gate are false
        ("values", np.int64),  # address: of each node
        ("queued", np.int64),  # address: whether a gate is in its level's queue
        ("queue", np.int64),  # address: level by level
        ("lengths", np.int64),  # address: of each level's queue
        ("outputs", np.int64),  # address: words; next position, legal moves of each role, end
        ("enabled", np.int64),  # address: words; the outputs that count, since the guards of their groups hold
        ("tallies", np.int64),  # address: how many bits of each group are set
        ("active", np.int64),  # address: whether the guard of each group holds
        ("counts", np.int64),  # address: of each role's legal moves
        ("state", np.int64),  # address: the base propositions that the values are of
        ("joint", np.int64),  # address: room for one move a role
        ("applied", np.int64),  # address: the move of each role that the values are of, where events make moves
        ("first_move", np.int64),  # the node of the first move
        ("programs", np.int64),  # address of a record: what moves do
        # What brings it to a state, and what makes moves there: kernels, so that others need not contain them.
        ("move_to_state", np.int64),
        ("apply_joint_move", np.int64),
    ]
)

GOAL = np.dtype([("role", np.int64), ("score", np.float64), ("bit", np.int64)])


@jit
def flip(evaluator, node, value):
    """Tell all that depend on an input or a gate that its value has become another."""
    array(evaluator.values, evaluator.nodes, np.uint8)[node] = value
    bounds = array(evaluator.fan_bounds + 16 * node, 4, np.int32)
    fans = array(evaluator.fans, bounds[2], np.int32)
    falses = array(evaluator.falses, evaluator.gates, np.int32)
    queued = array(evaluator.queued, evaluator.gates, np.uint8)
    for at in range(bounds[0], bounds[1]):
        fan = np.int64(fans[at])
        gate = fan >> 1
        true = value ^ (fan & 1)
        left = np.int64(falses[gate]) + 1 - 2 * true
        falses[gate] = left
        if left == 1 - true and queued[gate] == 0:
            queued[gate] = 1
            enqueue(evaluator, gate)
    for at in range(bounds[1], bounds[2]):
        fan = np.int64(fans[at])
        set_output(evaluator, fan >> 1, value ^ (fan & 1))


@jit
def enqueue(evaluator, gate):
    """Have a gate looked at when its level's turn comes."""
    level = np.int64(array(evaluator.fan_bounds + 16 * (evaluator.first + gate), 4, np.int32)[3])
    length = array(evaluator.lengths + 8 * level, 1, np.int64)
    begin = array(evaluator.level_starts + 8 * level, 1, np.int64)[0]
    array(evaluator.queue + 4 * (begin + length[0]), 1, np.int32)[0] = gate
    length[0] += 1


@jit
def set_output(evaluator, position, value):
    """Flip a bit of the outputs, which gets that value."""
    if position >= evaluator.guards:
        set_guard(evaluator, position - evaluator.guards, value)
        return
    word = array(evaluator.outputs + 8 * (position >> 6), 1, np.uint64)
    word[0] ^= bit(position & 63)
    group = np.int64(array(evaluator.owners + 4 * position, 1, np.int32)[0])
    change = 2 * value - 1
    array(evaluator.tallies + 8 * group, 1, np.int64)[0] += change
    role = array(evaluator.group_roles + 8 * group, 1, np.int64)[0]
    array(evaluator.counts + 8 * role, 1, np.int64)[0] += change * array(evaluator.active + 8 * group, 1, np.int64)[0]


@jit
def set_guard(evaluator, group, value):
    """Let the moves of a group count, or not."""
    role = array(evaluator.group_roles + 8 * group, 1, np.int64)[0]
    tally = array(evaluator.tallies + 8 * group, 1, np.int64)[0]
    array(evaluator.active + 8 * group, 1, np.int64)[0] = value
    array(evaluator.counts + 8 * role, 1, np.int64)[0] += (2 * value - 1) * tally
    bounds = array(evaluator.legal_words + 8 * role, 2, np.int64)
    enabled = array(evaluator.enabled, evaluator.last_legal, np.uint64)
    mask = array(evaluator.masks + 8 * evaluator.last_legal * group, evaluator.last_legal, np.uint64)
    for k in range(bounds[0], bounds[1]):
        enabled[k] ^= mask[k]


@jit
def run_levels(evaluator):
    """Let the changes run through the propnet."""
    lengths = array(evaluator.lengths, evaluator.levels, np.int64)
    begins = array(evaluator.level_starts, evaluator.levels, np.int64)
    queue = array(evaluator.queue, evaluator.gates, np.int32)
    falses = array(evaluator.falses, evaluator.gates, np.int32)
    queued = array(evaluator.queued, evaluator.gates, np.uint8)
    values = array(evaluator.values + evaluator.first, evaluator.gates, np.uint8)
    for level in range(evaluator.levels):
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
                flip(evaluator, evaluator.first + gate, value)


@entry
def begin(rules, literals, positions):
    """Evaluate the propnet from the beginning: nothing is true."""
    evaluator = record(rules, EVALUATOR)
    for k in range(len(literals)):
        if literals[k] & 1 and positions[k] >= 0:
            set_output(evaluator, positions[k], 1)
    falses = array(evaluator.falses, evaluator.gates, np.int32)
    queued = array(evaluator.queued, evaluator.gates, np.uint8)
    for gate in range(evaluator.gates):
        if falses[gate] == 0:
            queued[gate] = 1
            enqueue(evaluator, gate)
    applied = array(evaluator.applied, evaluator.roles, np.int64)
    for role in range(evaluator.roles):
        flip(evaluator, evaluator.first_move + applied[role], 1)
    run_levels(evaluator)


def move_to_state(rules, state):
    """Bring the evaluator to a state."""
    evaluator = record(rules, EVALUATOR)
    wanted = array(state, evaluator.words, np.uint64)
    known = array(evaluator.state, evaluator.words, np.uint64)
    changed = False
    for k in range(evaluator.words):
        difference = wanted[k] ^ known[k]
        if difference == ZERO:
            continue
        changed = True
        known[k] = wanted[k]
        while difference != ZERO:
            position = lowest(difference)
            difference = without_lowest(difference)
            flip(evaluator, 1 + 64 * k + position, 1 if has(wanted[k], position) else 0)
    if changed:
        run_levels(evaluator)
    return 0


@jit
def value_of(values, literal):
    """Of a literal."""
    return values[literal >> 1] ^ np.uint8(literal & 1)


@jit
def compute(values, node, literals, count):
    """Evaluate gates, two literals each, from that node on."""
    for k in range(count):
        values[node + k] = value_of(values, np.int64(literals[2 * k])) & value_of(values, np.int64(literals[2 * k + 1]))


@jit
def apply_by_events(evaluator):
    """Have the moves at ``evaluator.joint`` run through the propnet, where they do; then no bit needs a program."""
    joint = array(evaluator.joint, evaluator.roles, np.int64)
    applied = array(evaluator.applied, evaluator.roles, np.int64)
    for role in range(evaluator.roles):
        if joint[role] != applied[role]:
            flip(evaluator, evaluator.first_move + applied[role], 0)
            flip(evaluator, evaluator.first_move + joint[role], 1)
            applied[role] = joint[role]
    run_levels(evaluator)


def apply_joint_move(rules, state):
    """Make the moves at ``evaluator.joint``, one a role, in the state that the evaluator is brought to."""
    evaluator = record(rules, EVALUATOR)
    programs = record(evaluator.programs, MOVE_PROGRAMS)
    if programs.gates == 0 and programs.bits == 0:
        apply_by_events(evaluator)
    begin = cached_program(programs, array(evaluator.joint, evaluator.roles, np.int64))
    program = array(programs.storage, programs.storage_size, np.int32)
    values = array(evaluator.values, evaluator.nodes, np.uint8)
    bits = np.int64(program[begin])
    compute(values, evaluator.first + evaluator.gates, program[begin + 2 + 2 * bits :], np.int64(program[begin + 1]))
    following = array(evaluator.outputs, evaluator.words, np.uint64)
    moved_bits = array(evaluator.moved_bits, evaluator.words, np.uint64)
    words = array(state, evaluator.words, np.uint64)
    for k in range(evaluator.words):
        words[k] = following[k] | (words[k] & moved_bits[k])
    for at in range(begin + 2, begin + 2 + 2 * bits, 2):
        place = np.int64(program[at])
        value = np.uint64(value_of(values, np.int64(program[at + 1])))
        words[place >> 6] = (words[place >> 6] & ~bit(place & 63)) | (value << np.uint64(place & 63))
    return 0


@cache
def move_to_state_kernel():
    """``bring``, compiled."""
    return kernel(move_to_state)


@cache
def apply_joint_move_kernel():
    """``make``, compiled."""
    return kernel(apply_joint_move)


@jit
def ended(evaluator):
    """Whether the game is over in the state that the evaluator is brought to; also where somebody has no move."""
    if array(evaluator.outputs + 8 * evaluator.last_legal, 1, np.uint64)[0] & ONE != ZERO:
        return True
    counts = array(evaluator.counts, evaluator.roles, np.int64)
    for role in range(evaluator.roles):
        if counts[role] == 0:
            return True
    return False


@jit
def nth_legal(evaluator, role, n):
    """The n-th legal move of a role, counted from 0."""
    begin = array(evaluator.legal_words + 8 * role, 1, np.int64)[0]
    first = array(evaluator.moves + 8 * role, 1, np.int64)[0]
    words = array(evaluator.outputs + 8 * begin, evaluator.last_legal - begin, np.uint64)
    enabled = array(evaluator.enabled + 8 * begin, evaluator.last_legal - begin, np.uint64)
    k = 0
    while True:
        word = words[k] & enabled[k]
        here = popcount(word)
        if n < here:
            return first + 64 * k + nth(word, n)
        n -= here
        k += 1


@jit
def list_legal(evaluator, role, moves):
    """Write the legal moves of a role; how many."""
    bounds = array(evaluator.legal_words + 8 * role, 2, np.int64)
    first = array(evaluator.moves + 8 * role, 1, np.int64)[0]
    words = array(evaluator.outputs, bounds[1], np.uint64)
    enabled = array(evaluator.enabled, bounds[1], np.uint64)
    count = 0
    for k in range(bounds[0], bounds[1]):
        word = words[k] & enabled[k]
        while word != ZERO:
            moves[count] = first + 64 * (k - bounds[0]) + lowest(word)
            word = without_lowest(word)
            count += 1
    return count


@jit
def write_scores(evaluator, out):
    """Write the players' goals: of several that hold the highest, 0 where none does."""
    player_of = array(evaluator.player_of, evaluator.roles, np.int64)
    values = array(evaluator.values, evaluator.nodes, np.uint8)
    gates = array(evaluator.goal_gates, 2 * evaluator.goal_gate_count, np.int32)
    compute(values, evaluator.first + evaluator.gates, gates, evaluator.goal_gate_count)
    for player in range(evaluator.players):
        out[player] = 0.0
    for k in range(evaluator.goal_count):
        goal = record(evaluator.goals + GOAL_BYTES * k, GOAL)
        player = player_of[goal.role]
        if player >= 0 and value_of(values, goal.bit):
            out[player] = max(out[player], goal.score)


GOAL_BYTES = GOAL.itemsize
