"""The tree: one array of records, the children of a node side by side, and columns of numbers beside it.

A node other than the root is also the edge that leads to it, so an edge costs one record of 32 bytes. Statistics that
only some strategies need (sums of squares, what policies keep, all moves as first) are *columns*: arrays of one number
a node, one after another, absent when nobody asked. A column is cleared, copied and reordered with the nodes.

Of the children of a node policies see the first ``live``. Whoever prunes them (halving, progressive widening, proven
losses) reorders them and changes ``live`` (``arrange``); no policy need know.
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
        ("move", np.int32),  # the move code that leads here from the parent
        ("visits", np.int32),  # simulations that passed through
        ("total", np.float64),  # sum of their rewards, for the player who moved here
        ("chance", np.float32),  # probability of this outcome below a chance node; elsewhere the prior, if one is used
        ("hidden", np.uint16),  # number of children behind those
        ("mover", np.int8),  # who moves here; known once the node is expanded
        ("tag", np.int8),
    ]
)
NODE_BYTES = NODE.itemsize
MAX_PLAYERS = 127  # as far as ``mover`` counts
MAX_HIDDEN = 65535
PADDING_NODES = 3  # records beyond the last child that a policy may read, though not use: it looks at four at a time
VISITS_AT, TOTAL_AT, CHANCE_AT = (NODE.fields[name][1] for name in ("visits", "total", "chance"))  # bytes into a record


@jit
def node_at(nodes, node):
    """The record of a node; unlike an item of an array, without a look whether its number is negative."""
    return record(nodes + node * NODE_BYTES, NODE)


@jit
def clear_columns(columns, rows, stride, first, count):
    """Set the columns of fresh nodes to zero; they may hold what an earlier tree left."""
    for row in range(rows):
        column = array(columns + row * stride * 8, stride, np.float64)
        for k in range(first, first + count):
            column[k] = 0.0


@jit
def copy_columns(source, stride, at, target, new_stride, to, rows, count):
    """Copy ``count`` nodes of every column."""
    for row in range(rows):
        copy_bytes(target + (row * new_stride + to) * 8, source + (row * stride + at) * 8, count * 8)


@entry
def copy_subtree(source, columns, stride, new_root, target, new_columns, new_stride, rows):
    """Copy the subtree below ``new_root`` to ``target``, breadth first; the number of nodes copied and their depth.

    Children stay side by side, so the copy is a tree like any other whose root is ``new_root``.
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
    """Reorder the children of ``node``, the k-th becoming the one that stood at ``order[k]``; policies see ``live``."""
    here = node_at(nodes, node)
    count = np.int64(here.live) + np.int64(here.hidden)
    reorder(nodes, columns, rows, stride, np.int64(here.first), order, count, spare)
    here.live = live
    here.hidden = count - live


@jit
def reorder(nodes, columns, rows, stride, first, order_, count, spare):
    """Reorder ``count`` nodes that stand side by side, and their columns; ``spare`` is room for as many records."""
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
    """Let two nodes, children of the same one, change places, with their columns."""
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
