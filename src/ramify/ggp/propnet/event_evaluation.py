"""Event-driven evaluation of one position: only gates that a change reaches are recomputed.

A state consists only of its base propositions. The gate values are in an *evaluator*, one per search. Every query first
moves the evaluator to its state: the bits that differ from the evaluator's last state are flipped, and the changes are
propagated level by level (``levels``). Legal moves and the end of the game are output bits that are always up to date;
legal moves are grouped (``guards``). Goals are evaluated on request, and joint moves are applied by programs
(``move_programs``). The player Sancho also evaluates its propnets by events, from gate to gate.
"""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import entry, jit, kernel
from ramify.core.kernels.pointers import array, record
from ramify.core.numbers.bits import ONE, ZERO, bit, has, lowest, nth, popcount, without_lowest
from ramify.errors import BadGoalError
from ramify.ggp.propnet.move_programs import MOVE_PROGRAMS, cached_program

# The constants of a game and the addresses of an evaluator's arrays. Nodes in order: false, base propositions, moves,
# gates, and temporary nodes (goals, move programs).
EVALUATOR = np.dtype(
    [
        # The game.
        ("words", np.int64),  # 64-bit words of a state's base propositions
        ("roles", np.int64),
        ("players", np.int64),  # roles except `random`
        ("chance", np.int64),  # role `random`, or -1
        ("role_of", np.int64),  # address: role of each player
        ("player_of", np.int64),  # address: player of each role, or -1
        ("moves", np.int64),  # address: first move of each role, then the number of moves
        ("goals", np.int64),  # address of GOAL records
        ("goal_count", np.int64),
        ("goal_gates", np.int64),  # address: gates that only goals need, two literals each
        ("goal_gate_count", np.int64),
        # Its wiring.
        ("first", np.int64),  # node of the first gate
        ("gates", np.int64),  # number
        ("nodes", np.int64),  # number, including temporary nodes
        ("fan_bounds", np.int64),  # address, four per node: start of its gates, of its outputs, their end, its level
        ("fans", np.int64),  # address: see levels.connect
        ("levels", np.int64),
        ("level_starts", np.int64),  # address: first gate of each level
        ("legal_words", np.int64),  # address: first output word of each role's legal moves
        ("last_legal", np.int64),  # output word after them; its first bit is the end of the game
        ("guards", np.int64),  # first output that is a guard
        ("owners", np.int64),  # address: group of each output; 0 unless it is a legal move
        ("group_roles", np.int64),  # address: role of each group
        ("masks", np.int64),  # address: output bits of each group
        ("moved_bits", np.int64),  # address: state bits that depend on moves
        # The evaluator.
        ("falses", np.int64),  # address: number of false inputs of each gate
        ("values", np.int64),  # address: value of each node
        ("queued", np.int64),  # address: whether a gate is in its level's queue
        ("queue", np.int64),  # address: gates, level by level
        ("lengths", np.int64),  # address: length of each level's queue
        ("outputs", np.int64),  # address, words: next position, legal moves of each role, end
        ("enabled", np.int64),  # address, words: outputs whose guards hold
        ("tallies", np.int64),  # address: number of set bits in each group
        ("active", np.int64),  # address: whether the guard of each group holds
        ("counts", np.int64),  # address: number of legal moves per role
        ("state", np.int64),  # address: base propositions that the values belong to
        ("joint", np.int64),  # address: the joint move to apply, one move per role
        ("applied", np.int64),  # address: joint move in the values, if events apply moves
        ("first_move", np.int64),  # node of the first move
        ("programs", np.int64),  # address of a MOVE_PROGRAMS record
        # Addresses of kernels, so that other kernels need not inline them.
        ("move_to_state", np.int64),
        ("apply_joint_move", np.int64),
    ]
)

GOAL = np.dtype([("role", np.int64), ("score", np.float64), ("bit", np.int64)])


@jit
def flip(evaluator, node, value):
    """Set a node's new value: update its outputs and enqueue the gates that it may change."""
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
    """Append a gate to the queue of its level."""
    level = np.int64(array(evaluator.fan_bounds + 16 * (evaluator.first + gate), 4, np.int32)[3])
    length = array(evaluator.lengths + 8 * level, 1, np.int64)
    begin = array(evaluator.level_starts + 8 * level, 1, np.int64)[0]
    array(evaluator.queue + 4 * (begin + length[0]), 1, np.int32)[0] = gate
    length[0] += 1


@jit
def set_output(evaluator, position, value):
    """Flip an output bit, whose new value is ``value``."""
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
    """Enable or disable the moves of a group."""
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
    """Propagate the changes through all levels."""
    lengths = array(evaluator.lengths, evaluator.levels, np.int64)
    starts = array(evaluator.level_starts, evaluator.levels, np.int64)
    queue = array(evaluator.queue, evaluator.gates, np.int32)
    falses = array(evaluator.falses, evaluator.gates, np.int32)
    queued = array(evaluator.queued, evaluator.gates, np.uint8)
    values = array(evaluator.values + evaluator.first, evaluator.gates, np.uint8)
    for level in range(evaluator.levels):
        count = lengths[level]
        if count == 0:
            continue
        lengths[level] = 0
        begin = starts[level]
        for at in range(begin, begin + count):
            gate = np.int64(queue[at])
            queued[gate] = 0
            value = 1 if falses[gate] == 0 else 0
            if value != np.int64(values[gate]):
                flip(evaluator, evaluator.first + gate, value)


@entry
def begin(rules, literals, positions):
    """Initialize the evaluator at the state without true propositions."""
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
    """Update the evaluator's values to a state."""
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
    return values[literal >> 1] ^ np.uint8(literal & 1)


@jit
def compute(values, node, literals, count):
    """Evaluate ``count`` gates, two literals each, into the nodes from ``node``."""
    for k in range(count):
        values[node + k] = value_of(values, np.int64(literals[2 * k])) & value_of(values, np.int64(literals[2 * k + 1]))


@jit
def apply_by_events(evaluator):
    """Propagate the joint move at ``evaluator.joint`` through the propnet."""
    joint = array(evaluator.joint, evaluator.roles, np.int64)
    applied = array(evaluator.applied, evaluator.roles, np.int64)
    for role in range(evaluator.roles):
        if joint[role] != applied[role]:
            flip(evaluator, evaluator.first_move + applied[role], 0)
            flip(evaluator, evaluator.first_move + joint[role], 1)
            applied[role] = joint[role]
    run_levels(evaluator)


def apply_joint_move(rules, state):
    """Apply the joint move at ``evaluator.joint`` to ``state``, which the evaluator must be at."""
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
    return kernel(move_to_state)


@cache
def apply_joint_move_kernel():
    return kernel(apply_joint_move)


@jit
def ended(evaluator):
    """Return whether the game is over: the state is terminal, or a role has no legal move."""
    if array(evaluator.outputs + 8 * evaluator.last_legal, 1, np.uint64)[0] & ONE != ZERO:
        return True
    counts = array(evaluator.counts, evaluator.roles, np.int64)
    for role in range(evaluator.roles):
        if counts[role] == 0:
            return True
    return False


@jit
def nth_legal(evaluator, role, n):
    """Return the n-th legal move of a role, from 0."""
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
    """Write the legal moves of a role. Return their number."""
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
    """Write the players' scores: the highest goal that holds, 0 if none does."""
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
            if goal.score > 1.0:
                raise BadGoalError
            out[player] = max(out[player], goal.score)


GOAL_BYTES = GOAL.itemsize
