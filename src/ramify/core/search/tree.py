"""The tree: one array of node records, siblings contiguous, plus optional columns.

A node other than the root is also the edge that leads to it, so an edge costs one record of 32 bytes. Statistics that
only some strategies need (sums of squares, values of learning policies, AMAF) are *columns*: arrays with one number per
node, allocated only if used. Columns are cleared, copied and reordered with the nodes.

Policies see the first ``live`` children of a node. Pruning (halving, progressive widening, proven losses) reorders the
children and changes ``live`` (``reorder_children``); policies are unaffected.
"""

import numpy as np

from ramify.core.kernels.compiling import entry, jit
from ramify.core.kernels.pointers import array, copy_bytes, record, records
from ramify.old_names import old_attributes

ROOT = 0

# Values of ``first`` below zero.
UNEXPANDED = -1
TERMINAL = -2

# Values of ``mover`` below zero, here and in the game contract.
CHANCE = -1
SIMULTANEOUS = -2

NODE = np.dtype(
    [
        ("first", np.int32),  # index of the first child, or UNEXPANDED, or TERMINAL
        ("live", np.int32),  # number of children that policies see
        ("move", np.int32),  # code of the move from the parent
        ("visits", np.int32),  # simulations through this node
        ("total", np.float64),  # sum of their rewards, for the player who moved here
        ("chance", np.float32),  # below a chance node the outcome's probability, elsewhere the prior if used
        ("hidden", np.uint16),  # number of pruned children, stored after the live ones
        ("mover", np.int8),  # player to move; valid once the node is expanded
        ("tag", np.int8),  # meaning defined by the shape (mover, kind of record); 0 in a plain tree
    ]
)
NODE_BYTES = NODE.itemsize
MAX_PLAYERS = 127  # ``mover`` is an int8
MAX_HIDDEN = 65535
PADDING_NODES = 3  # readable records after the last child: policies load four at a time
VISITS_AT, TOTAL_AT, CHANCE_AT = (NODE.fields[name][1] for name in ("visits", "total", "chance"))  # byte offsets


@jit
def node_at(nodes, node):
    """Return the record of a node. Faster than array indexing, which checks for negative indices."""
    return record(nodes + node * NODE_BYTES, NODE)


@jit
def clear_columns(columns, rows, stride, first, count):
    """Zero the columns of new nodes: an earlier tree may have left values."""
    for row in range(rows):
        column = array(columns + row * stride * 8, stride, np.float64)
        for k in range(first, first + count):
            column[k] = 0.0


@jit
def copy_columns(source, stride, at, target, new_stride, to, rows, count):
    for row in range(rows):
        copy_bytes(target + (row * new_stride + to) * 8, source + (row * stride + at) * 8, count * 8)


@entry
def copy_subtree(source, columns, stride, new_root, target, new_columns, new_stride, rows):
    """Copy the subtree below ``new_root`` to ``target``, breadth first. Return its number of nodes and its depth.

    Siblings stay contiguous, so the copy is a tree with root ``new_root``.
    """
    new = records(target, new_stride, NODE)
    copy_bytes(target, source + new_root * NODE_BYTES, NODE_BYTES)
    copy_columns(columns, stride, new_root, new_columns, new_stride, 0, rows, 1)
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
            count = np.int64(new[done].live) + np.int64(new[done].hidden)
            new[done].first = size
            copy_bytes(target + size * NODE_BYTES, source + first * NODE_BYTES, count * NODE_BYTES)
            copy_columns(columns, stride, first, new_columns, new_stride, size, rows, count)
            size += count
        done += 1
    return size, depth


@entry
def reorder_children(nodes, columns, rows, stride, node, order, live, spare):
    """Reorder the children of ``node``: the k-th becomes the former ``order[k]``. The first ``live`` stay visible."""
    here = node_at(nodes, node)
    count = np.int64(here.live) + np.int64(here.hidden)
    reorder(nodes, columns, rows, stride, np.int64(here.first), order, count, spare)
    here.live = live
    here.hidden = count - live


@jit
def reorder(nodes, columns, rows, stride, first, order_, count, spare):
    """Reorder ``count`` contiguous nodes and their columns. ``spare``: buffer of ``count`` records."""
    order = array(order_, count, np.int64)
    copy_bytes(spare, nodes + first * NODE_BYTES, count * NODE_BYTES)
    for k in range(count):
        copy_bytes(nodes + (first + k) * NODE_BYTES, spare + order[k] * NODE_BYTES, NODE_BYTES)
    for row in range(rows):
        column = array(columns + (row * stride + first) * 8, count, np.float64)
        before = array(spare, count, np.float64)
        for k in range(count):
            before[k] = column[k]
        for k in range(count):
            column[k] = before[order[k]]


@jit
def swap_nodes(nodes, columns, rows, stride, one, other):
    """Swap two siblings and their columns."""
    if one == other:
        return
    here = array(nodes + one * NODE_BYTES, NODE_BYTES // 8, np.int64)
    there = array(nodes + other * NODE_BYTES, NODE_BYTES // 8, np.int64)
    for k in range(NODE_BYTES // 8):
        word = here[k]
        here[k] = there[k]
        there[k] = word
    for row in range(rows):
        column = array(columns + row * stride * 8, stride, np.int64)
        word = column[one]
        column[one] = column[other]
        column[other] = word


__getattr__ = old_attributes(__name__)
