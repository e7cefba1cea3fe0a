"""The tree: one array of records, the children of a node side by side.

A node other than the root is also the edge that leads to it, so an edge costs one record of 32 bytes. Statistics
that only some strategies need (sums of squares, what policies keep) stand in arrays of their own, of length zero when
nobody asked.
"""

import numpy as np

from ramify.core.kernels.compiling import entry
from ramify.core.kernels.pointers import array, copy_bytes, records

ROOT = 0

# Values of ``first`` below zero.
UNEXPANDED = -1
TERMINAL = -2

# Values of ``mover`` below zero, here and in the game contract.
CHANCE = -1
EVERYBODY = -2

NODE = np.dtype(
    [
        ("first", np.int32),  # index of the first child, or UNEXPANDED, or TERMINAL
        ("count", np.int32),  # number of children
        ("move", np.int32),  # the move code that leads here from the parent
        ("visits", np.int32),  # simulations that passed through
        ("total", np.float64),  # sum of their rewards, for the player who moved here
        ("chance", np.float32),  # probability of this outcome below a chance node; elsewhere the prior, if one is used
        ("mover", np.int16),  # who moves here; known once the node is expanded
        ("spare", np.int16),
    ]
)
NODE_BYTES = NODE.itemsize
SPARE = 3  # records beyond the last child that a policy may read, though not use: it looks at four at a time
VISITS_AT, TOTAL_AT, CHANCE_AT = (NODE.fields[name][1] for name in ("visits", "total", "chance"))  # bytes into a record


@entry
def copy_subtree(
    source, source_squares, source_kept, new_root, target, target_squares, target_kept, capacity, with_squares, rows
):
    """Copy the subtree below ``new_root`` to ``target``, breadth first; the number of nodes copied and their depth.

    Children stay side by side, so the copy is a tree like any other whose root is ``new_root``.
    """
    old = records(source, capacity, NODE)
    new = records(target, capacity, NODE)
    old_squares = array(source_squares, capacity, np.float64)
    new_squares = array(target_squares, capacity, np.float64)
    new[0] = old[new_root]
    if with_squares:
        new_squares[0] = old_squares[new_root]
    for row in range(rows):
        copy_bytes(target_kept + row * capacity * 8, source_kept + (row * capacity + new_root) * 8, 8)
    size = 1
    done = 0
    depth = 0
    level_end = 1
    while done < size:
        if done == level_end:
            depth += 1
            level_end = size
        first = np.int64(new[done].first)
        if first >= 0:
            count = np.int64(new[done].count)
            new[done].first = size
            for k in range(count):
                new[size + k] = old[first + k]
                if with_squares:
                    new_squares[size + k] = old_squares[first + k]
            for row in range(rows):
                start = row * capacity
                copy_bytes(target_kept + (start + size) * 8, source_kept + (start + first) * 8, count * 8)
            size += count
        done += 1
    return size, depth
