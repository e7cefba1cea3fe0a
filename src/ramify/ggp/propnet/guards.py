"""Guards: conditions shared by many legal moves, evaluated once per group instead of once per move.

"It is white's turn" is a condition of every white move and changes every ply. The legal moves of a role are therefore
*grouped* by such conditions. The shared conditions are the group's *guard*; each move has a bit for its remaining ones,
which counts only while the guard holds.
"""

import numpy as np

from ramify.core.kernels.compiling import entry, jit

MAX_LEAVES = 64  # conditions of a move; moves with more are not grouped
MAX_SHARED = 62  # shared conditions per role: bits of a key
MAX_GROUPS = 12  # per role
MIN_GROUP = 6  # moves per group, and moves that share a condition
COMMON_ONE_IN = 12  # a condition counts as shared if one move in this many has it


@jit
def conditions(gates, first, literal, holds, stack, leaves):
    """Write the conjuncts of a literal. Return their number, or -1 if there are too many.

    Only gates marked in ``holds`` are taken apart.
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
    """Count for each literal how many of ``literals`` have it as a condition."""
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
    """Write for each gate whether one of its conditions has a rank."""
    for gate in range(len(gates)):
        for side in range(2):
            literal = gates[gate, side]
            below = (literal >> 1) - first
            if ranks[literal] >= 0 or (literal & 1 == 0 and below >= 0 and holds[below]):
                holds[gate] = 1


@entry
def take_apart(gates, first, literals, ranks, holds, keys, starts, rest):
    """Write each literal's ranked conditions as bits of ``keys``, and the others to ``rest``. Return their number.

    If ``rest`` is empty, the others are only counted.
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
def chain(starts, rest, node, gates, literals):
    """Write the gates, numbered from ``node``, that join each move's conditions, and their literals.

    Return the number of gates.
    """
    at = 0
    for k in range(len(literals)):
        literals[k] = 1
        for j in range(starts[k], starts[k + 1]):
            if j == starts[k]:
                literals[k] = rest[j]
                continue
            gates[at, 0] = literals[k]
            gates[at, 1] = rest[j]
            literals[k] = 2 * (node + at)
            at += 1
    return at
