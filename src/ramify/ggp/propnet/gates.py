"""Builds gates from ground rules: an and-inverter graph with structural hashing, so no gate exists twice.

A *literal* is 2 * node, plus 1 if inverted. Node 0 is false, so literal 0 is false and 1 is true. Then come the inputs,
one node per base proposition and one per move, the moves of a role consecutively; then the gates, each after those it
depends on.

Each role makes exactly one move. So "one of this large set of moves" is "none of the others", and rules that differ
only in the move are merged before choosing the smaller form. Of Breakthrough's 76 000 gates for the next position 1250
remain.
"""

import numpy as np

from ramify.core.kernels.compiling import entry, jit

UNKNOWN = -1  # in place of a literal: not computed yet
FULL = -1  # in place of a number of gates: out of capacity
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)


@jit
def conjunction(gates, table, counts, a, b):
    """Return the literal of ``a and b``, adding a gate only if needed; UNKNOWN if out of capacity."""
    if a > b:
        a, b = b, a
    if a == 0 or a ^ 1 == b:
        return 0
    if a in (1, b):
        return b
    mask = len(table) - 1
    key = (np.uint64(a) << _SHIFT) | np.uint64(b)
    at = np.int64((key * _SPREAD) >> _SHIFT) & mask
    while table[at]:
        gate = table[at]
        if gates[gate, 0] == a and gates[gate, 1] == b:
            return 2 * gate
        at = (at + 1) & mask
    gate = counts[0]
    if gate >= len(gates):
        return UNKNOWN
    counts[0] = gate + 1
    gates[gate, 0] = a
    gates[gate, 1] = b
    table[at] = gate
    return 2 * gate


@jit
def all_of(gates, table, counts, literals, count, inverted):
    """Return the conjunction of the first ``count`` literals, each xor ``inverted``, as a balanced tree.

    The literals are sorted first, so equal sets give equal trees.
    """
    for k in range(count):
        literals[k] ^= inverted
    literals[:count].sort()
    while count > 1:
        half = 0
        for k in range(0, count - 1, 2):
            made = conjunction(gates, table, counts, literals[k], literals[k + 1])
            if made == UNKNOWN:
                return np.int64(UNKNOWN)
            literals[half] = made
            half += 1
        if count & 1:
            literals[half] = literals[count - 1]
            half += 1
        count = half
    return literals[0] if count else np.int64(1)


@jit
def any_of(gates, table, counts, literals, count):
    """Return the disjunction of the first ``count`` literals."""
    made = all_of(gates, table, counts, literals, count, 1)
    return made if made == UNKNOWN else made ^ 1


@jit
def one_of_moves(net, role, chosen, count, work):
    """Return the literal "one of the moves ``chosen`` of a role is made". ``chosen``: nodes, ascending."""
    gates, table, counts, bounds = net
    low = bounds[role]
    high = bounds[role + 1]
    if 2 * count <= high - low:
        for k in range(count):
            work[k] = 2 * chosen[k]
        return any_of(gates, table, counts, work, count)
    rest = 0
    k = 0
    for node in range(low, high):
        if k < count and chosen[k] == node:
            k += 1
        else:
            work[rest] = 2 * node
            rest += 1
    return all_of(gates, table, counts, work, rest, 1)


@jit
def role_of(bounds, node):
    """Return the role that a move's node belongs to; -1 for other nodes."""
    if node < bounds[0] or node >= bounds[len(bounds) - 1]:
        return -1
    role = 0
    while node >= bounds[role + 1]:
        role += 1
    return role


@jit
def body_of(rule, program, net, literals):
    """Return a rule's body: the literal of all conditions but one move, and that move's node or 0.

    The literal is 0 if the body cannot hold.
    """
    _, _, ends, bodies, values = program
    gates, table, counts, bounds = net
    move = np.int64(0)
    size = 0
    for at in range(ends[rule], ends[rule + 1]):
        one = bodies[at]
        literal = values[one] if one > 0 else values[-one] ^ 1
        if literal == 0:
            return np.int64(0), move
        if literal == 1:
            continue
        if literal & 1 == 0 and role_of(bounds, literal >> 1) >= 0:
            if move == 0:
                move = literal >> 1
                continue
            if move != literal >> 1 and role_of(bounds, literal >> 1) == role_of(bounds, move):
                return np.int64(0), move  # a role makes only one move
        literals[size] = literal
        size += 1
    return all_of(gates, table, counts, literals, size, 0), move


@jit
def value_of(atom, program, net, work):
    """Return an atom's literal, given those of all atoms in its rules; UNKNOWN if out of capacity."""
    starts, order = program[0], program[1]
    gates, table, counts, bounds = net
    keys, chosen, literals, terms = work
    made = 0
    for k in range(starts[atom], starts[atom + 1]):
        rest, move = body_of(order[k], program, net, literals)
        if rest == UNKNOWN:
            return np.int64(UNKNOWN)
        if rest == 1 and move == 0:
            return np.int64(1)
        if rest:
            keys[made] = (rest << 32) | move
            made += 1
    keys[:made].sort()
    number = 0
    k = 0
    while k < made:  # rules that differ only in the move are adjacent now
        rest = keys[k] >> 32
        move = keys[k] & 0xFFFFFFFF
        end = rest << 32
        if move:
            end += bounds[role_of(bounds, move) + 1] - 1
        count = 0
        while k < made and keys[k] <= end:
            one = keys[k] & 0xFFFFFFFF
            if count == 0 or chosen[count - 1] != one:
                chosen[count] = one
                count += 1
            k += 1
        terms[number] = rest
        if move:
            terms[number] = one_of_moves(net, role_of(bounds, move), chosen, count, literals)
            if terms[number] != UNKNOWN:
                terms[number] = conjunction(gates, table, counts, rest, terms[number])
        if terms[number] == UNKNOWN:
            return np.int64(UNKNOWN)
        number += 1
    return any_of(gates, table, counts, terms, number)


@jit
def push(atom, starts, visit, depth, clock, waiting):
    """Push an atom on Tarjan's stack of the search and on that of unfinished components."""
    stack, index, low, component = visit
    stack[depth, 0] = atom
    stack[depth, 1] = starts[atom]
    stack[depth, 2] = 0
    index[atom] = clock
    low[atom] = clock
    component[waiting] = atom


@jit
def next_below(program, visit, depth):
    """Return the next unknown atom that the top of the stack depends on, or -1."""
    starts, order, ends, bodies, values = program
    stack, index, low, _ = visit
    atom = stack[depth, 0]
    while stack[depth, 1] < starts[atom + 1]:
        rule = order[stack[depth, 1]]
        for at in range(ends[rule] + stack[depth, 2], ends[rule + 1]):
            other = abs(bodies[at])
            if values[other] != UNKNOWN:
                continue
            if index[other] == 0:
                stack[depth, 2] = at + 1 - ends[rule]
                return other
            low[atom] = min(low[atom], index[other])
        stack[depth, 1] += 1
        stack[depth, 2] = 0
    return np.int64(-1)


@entry
def build(wanted, program, net, work, visit):
    """Compute the literals of all atoms that the wanted ones depend on. Return the number of nodes, or FULL.

    Atoms are processed by strongly connected components (Tarjan 1972), dependencies first. A cycle of atoms starts as
    false and is unrolled as many times as it has atoms, or until nothing changes: the propnet contains the whole
    fixpoint iteration. ``counts[1]`` is the size of the largest cycle.
    """
    starts, values, counts = program[0], program[4], net[2]
    stack, index, low, component = visit
    clock = 1
    waiting = 0  # atoms of unfinished components
    for goal in wanted:
        if values[goal] != UNKNOWN:
            continue
        depth = 0
        push(goal, starts, visit, depth, clock, waiting)
        clock += 1
        waiting += 1
        while depth >= 0:
            atom = stack[depth, 0]
            other = next_below(program, visit, depth)
            if other >= 0:
                depth += 1
                push(other, starts, visit, depth, clock, waiting)
                clock += 1
                waiting += 1
                continue
            depth -= 1
            if depth >= 0:
                low[stack[depth, 0]] = min(low[stack[depth, 0]], low[atom])
            if low[atom] == index[atom]:
                first = waiting - 1
                while component[first] != atom:
                    first -= 1
                if not settle(component, first, waiting, program, net, work):
                    return np.int64(FULL)
                waiting = first
    return counts[0]


@jit
def settle(component, begin, end, program, net, work):
    """Compute the literals of a component's atoms. Return False if out of capacity."""
    starts, order, ends, bodies, values = program
    size = end - begin
    if size == 1:
        atom = component[begin]
        alone = True
        for k in range(starts[atom], starts[atom + 1]):
            for at in range(ends[order[k]], ends[order[k] + 1]):
                alone = alone and bodies[at] != atom
        if alone:
            values[atom] = value_of(atom, program, net, work)
            return values[atom] != UNKNOWN
    net[2][1] = max(net[2][1], size)
    for k in range(begin, end):
        values[component[k]] = 0
    for _ in range(size):
        changed = False
        for k in range(end - 1, begin - 1, -1):
            atom = component[k]
            before = values[atom]
            after = value_of(atom, program, net, work)
            if after == UNKNOWN:
                return False
            changed = changed or after != before
            values[atom] = after
        if not changed:
            break
    return True


@entry
def number_gates(gates, first, count, outputs, ends, numbers):
    """Renumber the gates that outputs depend on by sections; section k has the gates of outputs before ``ends[k]``.

    Writes each kept gate's new number to ``numbers`` (initially zeros) and the end of each section to ``ends``. Return
    the number of nodes. The first section is always evaluated, the last one for every move, those between on request:
    gates that they share with the last one belong to the first.
    """
    marks = np.zeros(count, np.int64)
    last = np.zeros(count, np.uint8)
    for k in range(ends[len(ends) - 2], ends[len(ends) - 1]):
        last[outputs[k] >> 1] = 1
    for section in range(len(ends) - 1, -1, -1):
        begin = ends[section - 1] if section else 0
        for k in range(begin, ends[section]):
            marks[outputs[k] >> 1] = section + 1
    # Backwards: whatever a gate of an early section needs belongs to that section.
    for gate in range(count - 1, first - 1, -1):
        if last[gate] and 1 < marks[gate] < len(ends):
            marks[gate] = 1
        if marks[gate]:
            for side in range(2):
                node = gates[gate, side] >> 1
                last[node] |= last[gate]
                if marks[node] == 0 or marks[node] > marks[gate]:
                    marks[node] = marks[gate]
    for node in range(first):
        numbers[node] = node
    new = first
    for section in range(len(ends)):
        for gate in range(first, count):
            if marks[gate] == section + 1:
                numbers[gate] = new
                new += 1
        ends[section] = new
    return new
