"""A propnet as events run through it: ands of any number of inputs, and for each node where its changes go.

An and that only one other and uses, as it is, becomes part of that one. Of every other one only the number of its false
inputs is kept, so a change costs the same however many inputs there are. Gates are numbered by *levels*: those of
level 0 depend on inputs alone.
"""

import numpy as np

from ramify.core.kernels.compiling import entry

WHOLE = 0  # of a gate: it stays one of its own


@entry
def part_of(gates, first, outputs, parts):
    """Write for each gate which one it becomes part of (its number from 1), or WHOLE; how many stay whole."""
    count = len(gates)
    uses = np.zeros(first + count, np.int64)
    for literal in outputs:
        uses[literal >> 1] += 2
    for gate in range(count):
        for side in range(2):
            literal = gates[gate, side]
            # Inverted, it cannot be part of the gate that uses it.
            uses[literal >> 1] += 2 if literal & 1 else 1
    for gate in range(count):
        for side in range(2):
            literal = gates[gate, side]
            node = literal >> 1
            if node >= first and uses[node] == 1:
                parts[node - first] = gate + 1
    whole = 0
    for gate in range(count):
        if parts[gate] == WHOLE:
            whole += 1
    return whole


@entry
def levels_of(gates, first, parts, owners, levels):
    """Write for each gate the whole gate that it belongs to, and the level of each whole gate; how many levels."""
    count = len(gates)
    for gate in range(count - 1, -1, -1):  # those that use a gate come after it
        owners[gate] = gate if parts[gate] == WHOLE else owners[parts[gate] - 1]
    deepest = 0
    for gate in range(count):
        level = levels[gate]
        for side in range(2):
            node = gates[gate, side] >> 1
            if node >= first:
                below = levels[node - first]
                level = max(level, below if parts[node - first] == gate + 1 else below + 1)
        levels[gate] = level
        deepest = max(deepest, level)
    return deepest + 1


@entry
def connect(gates, first, parts, owners, places, outputs, positions, starts, middles, fans, falses):
    """Write where the changes of each node go: to gates, then to outputs.

    ``places`` are the numbers of whole gates by level; ``positions`` the bits of outputs, -1 for what is only read.
    Node n changes the gates ``fans[starts[n]:middles[n]]`` and the outputs ``fans[middles[n]:starts[n+1]]``; each is
    twice the number, and one more where it gets the opposite. ``falses`` counts the inputs of each whole gate that are
    false when every node is.
    """
    count = len(gates)
    nodes = len(middles)
    sizes = np.zeros((nodes, 2), np.int64)
    for round_ in range(2):
        for gate in range(count):
            owner = places[owners[gate]]
            for side in range(2):
                literal = gates[gate, side]
                node = literal >> 1
                if node >= first:
                    if parts[node - first] == gate + 1:
                        continue
                    node = first + places[node - first]
                if round_:
                    fans[starts[node] + sizes[node, 0]] = 2 * owner + (literal & 1)
                    falses[owner] += 1 - (literal & 1)
                sizes[node, 0] += 1
        for k in range(len(outputs)):
            literal = outputs[k]
            node = literal >> 1
            if node == 0 or positions[k] < 0:
                continue
            if node >= first:
                node = first + places[node - first]
            if round_:
                fans[middles[node] + sizes[node, 1]] = 2 * positions[k] + (literal & 1)
            sizes[node, 1] += 1
        if round_ == 0:
            at = 0
            for node in range(nodes):
                starts[node] = at
                middles[node] = at + sizes[node, 0]
                at = middles[node] + sizes[node, 1]
            starts[nodes] = at
            sizes[:] = 0


@entry
def mark_below(gates, first, literals, marks):
    """Mark the gates that literals depend on."""
    for literal in literals:
        if literal >> 1 >= first:
            marks[(literal >> 1) - first] = 1
    for gate in range(len(gates) - 1, -1, -1):  # those that use a gate come after it
        if marks[gate]:
            for side in range(2):
                node = gates[gate, side] >> 1
                if node >= first:
                    marks[node - first] = 1


@entry
def mark_above(gates, first, marks):
    """Mark the nodes that depend on a marked one."""
    for gate in range(len(gates)):
        marks[first + gate] = marks[gates[gate, 0] >> 1] | marks[gates[gate, 1] >> 1]
