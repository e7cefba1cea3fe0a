"""From ground rules to a propnet of two-input ands with inverted edges, nothing of which exists twice.

A *literal* is 2 * node + 1 if inverted, else 2 * node. Node 0 is false, so literal 0 is false and 1 is true. Then come
the inputs, one a base proposition and one a move, the moves of a role side by side; then the gates, each after those
that it depends on.

Exactly one move of a role is made. So "one of this large set of moves" is "none of the others", and rules that differ
in nothing but the move are put together before that is decided: of Breakthrough's 76 000 gates for the next position
1250 are left.
"""

import numpy as np

from ramify.core.kernels.compiling import entry, jit

UNKNOWN = -1  # instead of a literal: not computed yet
FULL = -1  # instead of a number of gates: there is no room for more
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)


@jit
def conjunction(gates, table, counts, a, b):
    """The literal of ``a and b``: an old gate, a new one, or none needed; UNKNOWN where there is no room."""
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
    """The literal that holds where all of the first ``count`` hold, each inverted if asked; a balanced tree.

    The literals are put in order, so equal sets give equal trees.
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
    """The literal that holds where one of the first ``count`` does."""
    made = all_of(gates, table, counts, literals, count, 1)
    return made if made == UNKNOWN else made ^ 1


@jit
def one_of_moves(net, role, chosen, count, work):
    """The literal that one of the moves ``chosen`` (nodes, ascending) of a role is made."""
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
    """The role whose move a node is; -1 for none."""
    if node < bounds[0] or node >= bounds[len(bounds) - 1]:
        return -1
    role = 0
    while node >= bounds[role + 1]:
        role += 1
    return role


@jit
def body_of(rule, program, net, literals):
    """The body of a rule: the literal of all but a move, or 0 where it cannot hold, and the move's node, 0 for none."""
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
                return np.int64(0), move  # two moves of one role are never made together
        literals[size] = literal
        size += 1
    return all_of(gates, table, counts, literals, size, 0), move


@jit
def value_of(atom, program, net, work):
    """The literal of an atom, the literals of all that its rules depend on being known; UNKNOWN: there is no room."""
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
    while k < made:  # rules that differ in the move alone stand side by side now
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
def enter(atom, starts, visit, depth, clock, waiting):
    """Begin with an atom: put it on the stack, and among those whose component is not finished."""
    stack, index, low, component = visit
    stack[depth, 0] = atom
    stack[depth, 1] = starts[atom]
    stack[depth, 2] = 0
    index[atom] = clock
    low[atom] = clock
    component[waiting] = atom


@jit
def next_below(program, visit, depth):
    """The next atom that the one on top of the stack depends on and that is not known; -1: there is none left."""
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
    """Give every atom that the wanted ones depend on its literal; the number of nodes, or FULL.

    Atoms are taken in the order of their strongly connected components (Tarjan 1972), what is needed first. Atoms that
    depend on each other in a circle, positively, begin as false and are computed as often as there are of them, or
    until nothing changes: the propnet then holds the whole iteration. ``counts[1]`` is the largest circle there was.
    """
    starts, values, counts = program[0], program[4], net[2]
    stack, index, low, component = visit
    clock = 1
    waiting = 0  # atoms of unfinished components
    for goal in wanted:
        if values[goal] != UNKNOWN:
            continue
        depth = 0
        enter(goal, starts, visit, depth, clock, waiting)
        clock += 1
        waiting += 1
        while depth >= 0:
            atom = stack[depth, 0]
            other = next_below(program, visit, depth)
            if other >= 0:
                depth += 1
                enter(other, starts, visit, depth, clock, waiting)
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
    """Give the atoms of a component their literals; whether there was room."""
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
    """Number anew the gates that outputs depend on, those of outputs before ``ends[k]`` before those of later ones.

    ``numbers`` begins as zeros and tells each kept gate's new number. The last number of each section goes to ``ends``.
    The first section is always evaluated, the last one whenever a move is made, those between when somebody asks: what
    they share with the last one belongs to the first.
    """
    marks = np.zeros(count, np.int64)
    last = np.zeros(count, np.uint8)
    for k in range(ends[len(ends) - 2], ends[len(ends) - 1]):
        last[outputs[k] >> 1] = 1
    for section in range(len(ends) - 1, -1, -1):
        begin = ends[section - 1] if section else 0
        for k in range(begin, ends[section]):
            marks[outputs[k] >> 1] = section + 1
    # From the last gate on, what a gate of an early section needs belongs to that section.
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
