"""Propnets for event-driven evaluation: ands with any number of inputs, and the fan-out of every node.

An and that is used once, not inverted, by another and is merged into it. For each remaining gate only its number of
false inputs is stored, so a change costs the same however many inputs there are. Gates are ordered by *level*: those of
level 0 depend only on inputs.
"""

import numpy as np

from ramify.core.kernels.compiling import entry

WHOLE = 0  # a gate that is not merged into another


@entry
def part_of(gates, first, outputs, parts):
    """Write for each gate the one it is merged into (number from 1), or WHOLE. Return the number of whole gates."""
    count = len(gates)
    uses = np.zeros(first + count, np.int64)
    for literal in outputs:
        uses[literal >> 1] += 2
    for gate in range(count):
        for side in range(2):
            literal = gates[gate, side]
            # An inverted input cannot be merged into the gate that uses it.
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
    """Write each gate's whole gate, and the level of each whole gate. Return the number of levels."""
    count = len(gates)
    for gate in range(count - 1, -1, -1):  # users of a gate come after it
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
    """Write the fan-out of each node: gates, then outputs.

    ``places``: numbers of whole gates in level order. ``positions``: bits of the outputs, -1 for literals that are only
    read. Node n feeds the gates ``fans[starts[n]:middles[n]]`` and the outputs ``fans[middles[n]:starts[n+1]]``, each
    as 2 * number, plus 1 if inverted. ``falses``: false inputs of each whole gate while every node is false.
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
    """Mark the gates that the literals depend on."""
    for literal in literals:
        if literal >> 1 >= first:
            marks[(literal >> 1) - first] = 1
    for gate in range(len(gates) - 1, -1, -1):  # users of a gate come after it
        if marks[gate]:
            for side in range(2):
                node = gates[gate, side] >> 1
                if node >= first:
                    marks[node - first] = 1


@entry
def mark_above(gates, first, marks):
    """Mark the gates that depend on a marked node."""
    for gate in range(len(gates)):
        marks[first + gate] = marks[gates[gate, 0] >> 1] | marks[gates[gate, 1] >> 1]
