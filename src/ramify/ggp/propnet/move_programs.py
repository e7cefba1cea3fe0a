"""Move programs: the effect of a joint move on the state, computed when it is first played.

With all moves known, most gates for the next position become constants, or what they are without a move. The rest is a
short program: gates to evaluate, then bits to write. Every other bit that depends on moves keeps its value. Each
evaluator caches programs by joint move. Bits that do not depend on moves are ordinary outputs of the evaluator.
"""

import numpy as np

from ramify.core.kernels.compiling import entry, jit
from ramify.core.kernels.pointers import array, record, table

NEW = -1  # in place of a literal: needs a gate
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_HIGH = np.uint64(40)

# Nodes here: the evaluator's (``known`` of them), then moves, then gates that depend on moves. In finished programs the
# nodes after the known ones are the results of earlier steps.
MOVE_PROGRAMS = np.dtype(
    [
        ("known", np.int64),
        ("moves", np.int64),
        ("roles", np.int64),
        ("gates", np.int64),  # number of gates that depend on moves
        ("inputs", np.int64),  # address: two literals per gate
        ("fan_starts", np.int64),  # address: start of each fan-out, of moves, then of gates
        ("fans", np.int64),  # address: gates fed by a move or a gate
        ("fan_count", np.int64),
        ("bits", np.int64),  # number of state bits that depend on moves
        ("places", np.int64),  # address: positions of these bits
        ("literals", np.int64),  # address: their next values
        ("plain", np.int64),  # address: literal of each gate when no move is made
        ("plain_steps", np.int64),  # steps for these literals
        # Scratch memory for building a program.
        ("meanings", np.int64),  # address: literal of each move and gate under the joint move
        ("steps", np.int64),  # address: two literals per step
        ("reached", np.int64),  # address: gates that depend on the joint move
        ("seen", np.int64),  # address: whether a gate is in `reached`
        ("used", np.int64),  # address: steps that the program needs
        ("numbers", np.int64),  # address: number of each step in the program, from 1
        # The cache.
        ("table", np.int64),  # address: hash table of program positions; 0: empty
        ("table_size", np.int64),
        ("filled", np.int64),
        ("storage", np.int64),  # address: each joint move followed by its program
        ("storage_size", np.int64),
        ("free_at", np.int64),  # position of the free storage
    ]
)


@jit
def fold_and(a, b):
    """Return the literal of ``a and b`` if it needs no gate, else NEW."""
    if a == 0 or b == 0 or a ^ 1 == b:
        return 0
    if a in (1, b):
        return b
    if b == 1:
        return a
    return NEW


@jit
def literal_under_moves(known, meanings, literal):
    """Return what a literal becomes under the joint move."""
    node = literal >> 1
    return literal if node < known else np.int64(meanings[node - known]) ^ (literal & 1)


@jit
def settle_gate(programs, inputs, meanings, steps, gate, count):
    """Compute a gate's literal under the joint move, adding a step if needed. Return the number of steps."""
    known = programs.known
    a = literal_under_moves(known, meanings, np.int64(inputs[gate, 0]))
    b = literal_under_moves(known, meanings, np.int64(inputs[gate, 1]))
    found = fold_and(a, b)
    if found == NEW:
        steps[count, 0] = a
        steps[count, 1] = b
        found = 2 * (known + count)
        count += 1
    meanings[programs.moves + gate] = found
    return count


@entry
def without_moves(block):
    """Compute every gate's literal when no move is made. Return the number of steps."""
    programs = record(block, MOVE_PROGRAMS)
    inputs = table(programs.inputs, programs.gates, 2, np.int32)
    meanings = array(programs.meanings, programs.moves + programs.gates, np.int32)
    steps = table(programs.steps, 2 * programs.gates, 2, np.int32)
    count = 0
    for gate in range(programs.gates):
        count = settle_gate(programs, inputs, meanings, steps, gate, count)
    return count


@jit
def reach(programs, node, count):
    """Add the fan-out of a move or gate to ``reached``. Return its new length."""
    starts = array(programs.fan_starts, programs.moves + programs.gates + 1, np.int32)
    fans = array(programs.fans, programs.fan_count, np.int32)
    seen = array(programs.seen, programs.gates, np.uint8)
    reached = array(programs.reached, programs.gates, np.int32)
    for at in range(starts[node], starts[node + 1]):
        gate = np.int64(fans[at])
        if seen[gate] == 0:
            seen[gate] = 1
            reached[count] = gate
            count += 1
    return count


@jit
def use(programs, literal, count):
    """Add the step that a literal needs, if any, to ``used``. Return its new length."""
    step = (literal >> 1) - programs.known
    if step >= 0:
        numbers = array(programs.numbers, 2 * programs.gates, np.int32)
        if numbers[step] == 0:
            numbers[step] = 1
            array(programs.used, 2 * programs.gates, np.int32)[count] = step
            return count + 1
    return count


@jit
def renumbered(programs, literal):
    """Return a literal in the numbering of the finished program."""
    step = (literal >> 1) - programs.known
    if step < 0:
        return literal
    return 2 * (programs.known + np.int64(array(programs.numbers, 2 * programs.gates, np.int32)[step]) - 1) + (
        literal & 1
    )


@jit
def build_program(programs, joint, program):
    """Write a joint move's program: number of bits, number of steps, bits with literals, steps. Return its length."""
    meanings = array(programs.meanings, programs.moves + programs.gates, np.int32)
    inputs = table(programs.inputs, programs.gates, 2, np.int32)
    steps = table(programs.steps, 2 * programs.gates, 2, np.int32)
    reached = array(programs.reached, programs.gates, np.int32)
    seen = array(programs.seen, programs.gates, np.uint8)
    plain = array(programs.plain, programs.gates, np.int32)
    number = 0
    for role in range(programs.roles):
        meanings[joint[role]] = 1
        number = reach(programs, joint[role], number)
    at = 0
    while at < number:
        number = reach(programs, programs.moves + np.int64(reached[at]), number)
        at += 1
    reached[:number].sort()
    count = programs.plain_steps
    for k in range(number):
        count = settle_gate(programs, inputs, meanings, steps, np.int64(reached[k]), count)
    length = write_bits(programs, meanings, program)
    for role in range(programs.roles):
        meanings[joint[role]] = 0
    for k in range(number):
        gate = np.int64(reached[k])
        meanings[programs.moves + gate] = plain[gate]
        seen[gate] = 0
    return write_steps(programs, steps, program, length)


@jit
def write_bits(programs, meanings, program):
    """Write the bits that may change. Return the length of the program so far."""
    places = array(programs.places, programs.bits, np.int32)
    literals = array(programs.literals, programs.bits, np.int32)
    at = 2
    for k in range(programs.bits):
        place = np.int64(places[k])
        literal = literal_under_moves(programs.known, meanings, np.int64(literals[k]))
        if literal != 2 * (1 + place):
            program[at] = place
            program[at + 1] = literal
            at += 2
    program[0] = (at - 2) >> 1
    return at


@jit
def write_steps(programs, steps, program, length):
    """Write the steps that the bits need, and renumber all literals. Return the program's length."""
    used = array(programs.used, 2 * programs.gates, np.int32)
    numbers = array(programs.numbers, 2 * programs.gates, np.int32)
    count = 0
    for at in range(3, length, 2):
        count = use(programs, np.int64(program[at]), count)
    at = 0
    while at < count:
        step = np.int64(used[at])
        count = use(programs, np.int64(steps[step, 0]), count)
        count = use(programs, np.int64(steps[step, 1]), count)
        at += 1
    used[:count].sort()
    for k in range(count):
        numbers[used[k]] = k + 1
    for at in range(3, length, 2):
        program[at] = renumbered(programs, np.int64(program[at]))
    for k in range(count):
        step = np.int64(used[k])
        program[length] = renumbered(programs, np.int64(steps[step, 0]))
        program[length + 1] = renumbered(programs, np.int64(steps[step, 1]))
        length += 2
    for k in range(count):
        numbers[used[k]] = 0
    program[1] = count
    return length


@jit
def cached_program(programs, joint):
    """Return the position of a joint move's program, building it if it is not cached. A full cache is cleared."""
    roles = programs.roles
    kept = array(programs.table, programs.table_size, np.int32)
    storage = array(programs.storage, programs.storage_size, np.int32)
    key = np.uint64(0)
    for role in range(roles):
        key = (key + np.uint64(joint[role]) + np.uint64(1)) * _SPREAD
    mask = programs.table_size - 1
    at = np.int64(key >> _HIGH) & mask
    while kept[at]:
        begin = np.int64(kept[at])
        same = True
        for role in range(roles):
            same = same and storage[begin + role] == joint[role]
        if same:
            return begin + roles
        at = (at + 1) & mask
    longest = roles + 2 + 2 * programs.bits + 4 * programs.gates
    if programs.free_at + longest > programs.storage_size or 4 * programs.filled > 3 * programs.table_size:
        kept[:] = 0
        programs.free_at = 1
        programs.filled = 0
        at = np.int64(key >> _HIGH) & mask
    begin = programs.free_at
    for role in range(roles):
        storage[begin + role] = joint[role]
    length = build_program(programs, joint, storage[begin + roles :])
    kept[at] = begin
    programs.filled += 1
    programs.free_at = begin + roles + length
    return begin + roles


@entry
def steps_of(block, joint):
    """Return the number of steps of a joint move's program."""
    programs = record(block, MOVE_PROGRAMS)
    begin = cached_program(programs, joint)
    return np.int64(array(programs.storage, programs.storage_size, np.int32)[begin + 1])
