"""What many legal moves have in common, so that it need not reach each of them.

"It is white's turn" is a condition of every move of white's, and changes with every move. The legal moves of a role are
therefore *grouped* by such conditions: within a group a move only has a bit for what is left of its conditions, and
the common ones are the group's *guard*. Bits count where the guard holds.
"""

import numpy as np

from ramify.core.kernels.compiling import entry, jit

MAX_LEAVES = 64  # conditions of a move that are looked at
MAX_SHARED = 62  # conditions of a role's moves that may be common to many: bits of a key
MAX_GROUPS = 12  # of a role
MIN_GROUP = 6  # moves of a group, and moves that share a condition
COMMON_ONE_IN = 12  # a condition is common if one of so many moves has it


@jit
def conditions(gates, first, literal, holds, stack, leaves):
    """Write the literals that must all hold where one does; how many, or -1: too many.

    Gates are taken apart as far as ``holds`` says.
    """
    stack[0] = literal
    depth = 1
    count = 0
    while depth:
        depth -= 1
        one = stack[depth]
        gate = (one >> 1) - first
        if one & 1 == 0 and gate >= 0 and holds[gate]:
            stack[depth] = gates[gate, 0]
            stack[depth + 1] = gates[gate, 1]
            depth += 2
        else:
            leaves[count] = one
            count += 1
        if count + depth >= MAX_LEAVES:
            return -1
    return count


@entry
def count_conditions(gates, first, literals, counts):
    """Count of how many of the literals each literal is a condition."""
    everything = np.ones(len(gates), np.uint8)
    stack = np.empty(MAX_LEAVES + 2, np.int64)
    leaves = np.empty(MAX_LEAVES + 2, np.int64)
    for literal in literals:
        number = conditions(gates, first, literal, everything, stack, leaves)
        leaves[: max(number, 0)].sort()
        for k in range(number):
            if k == 0 or leaves[k] != leaves[k - 1]:
                counts[leaves[k]] += 1


@entry
def find_holders(gates, first, ranks, holds):
    """Write for each gate whether a condition with a rank is among those of it."""
    for gate in range(len(gates)):
        for side in range(2):
            literal = gates[gate, side]
            below = (literal >> 1) - first
            if ranks[literal] >= 0 or (literal & 1 == 0 and below >= 0 and holds[below]):
                holds[gate] = 1


@entry
def take_apart(gates, first, literals, ranks, holds, keys, starts, rest):
    """Write which conditions with a rank each literal has, a bit each, and where the others are: in ``rest``.

    Where ``rest`` is empty they are only counted.
    """
    stack = np.empty(MAX_LEAVES + 2, np.int64)
    leaves = np.empty(MAX_LEAVES + 2, np.int64)
    at = 0
    for k in range(len(literals)):
        starts[k] = at
        keys[k] = 0
        number = conditions(gates, first, literals[k], holds, stack, leaves)
        if number < 0:
            leaves[0] = literals[k]
            number = 1
        for leaf in leaves[:number]:
            if ranks[leaf] >= 0:
                keys[k] |= 1 << ranks[leaf]
            else:
                if len(rest):
                    rest[at] = leaf
                at += 1
    starts[len(literals)] = at
    return at


@entry
def chain(starts, rest, node, made, literals):
    """Write gates, the first being that node, for all conditions of each move, and the literals of these."""
    at = 0
    for k in range(len(literals)):
        literals[k] = 1
        for j in range(starts[k], starts[k + 1]):
            if j == starts[k]:
                literals[k] = rest[j]
                continue
            made[at, 0] = literals[k]
            made[at, 1] = rest[j]
            literals[k] = 2 * (node + at)
            at += 1
    return at
