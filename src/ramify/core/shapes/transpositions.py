"""The transposition table: finds positions that several paths lead to by their hashes.

The tree becomes a graph with the same records: a child is the *edge* that leads to it, and ``first`` is the index of
the children of its position. Two edges to the same position have the same ``first`` and so share everything below. The
record before a block of children is their *position*, itself a node: its ``visits`` count the simulations through any
of its edges, which is the policies' N.

Childs, Brodeur and Kocsis, "Transpositions and Move Groups in Monte Carlo Tree Search" (CIG 2008), number the ways to
value an edge. UCT1: by the simulations through the edge. UCT2: by all simulations through the position it leads to, but
with the edge's own visits. Under UCT2 the edges of a position form a linked list, stored in a column, and the ``total``
of each is its visits times the mean of the position.

Two positions are identical if their hashes, the player to move, and the player whose rewards they sum agree. The latter
is the player who moved there; in most games the player to move determines it.
"""

import numpy as np

from ramify.core.kernels.compiling import entry, jit
from ramify.core.kernels.pointers import array, call, copy_bytes, record, records
from ramify.core.numbers.hash128 import hash_words
from ramify.core.numbers.rng import mix
from ramify.core.search.tree import NODE, NODE_BYTES, ROOT, copy_columns, node_at

TRANSPOSITION_TABLE = np.dtype(
    [
        # How positions are identified.
        ("key", np.int64),  # the game's kernel (rules, state); 0: hash the bytes of the state
        ("words", np.int64),  # 8-byte words per state
        ("by_ply", np.int64),  # whether positions at different plies are distinct
        ("ply", np.int64),  # moves made before the root, if `by_ply`
        # The table: open addressing with linear probing.
        ("entries", np.int64),
        ("capacity", np.int64),  # a power of two
        ("used", np.int64),
        # The last position looked up.
        ("hash", np.uint64),
        ("check", np.uint64),
        # Values of edges.
        ("uct2", np.int64),  # whether edges take the mean of their position
        ("edges", np.int64),  # column of linked lists: a position's first edge, an edge's successor; 0: end
        # Statistics.
        ("simulation", np.int64),  # the current one, from 1
        ("hits", np.int64),  # edges linked to a known position
    ]
)
ENTRY = np.dtype([("hash", np.uint64), ("check", np.uint64), ("first", np.int64)])
ENTRY_BYTES = ENTRY.itemsize
POSITION = 1  # ``tag`` of a position's record is POSITION + the player whose rewards it sums; that of an edge is 0


@jit
def entry_at(entries, slot):
    return record(entries + slot * ENTRY_BYTES, ENTRY)


@jit
def slot_of(entries, capacity, hash_, check):
    """Return the slot of a position, or the free slot where it belongs."""
    slot = np.int64(hash_ & np.uint64(capacity - 1))
    kept = entry_at(entries, slot)
    while kept.first != 0 and (kept.hash != hash_ or kept.check != check):
        slot = (slot + 1) & (capacity - 1)
        kept = entry_at(entries, slot)
    return slot


@jit
def look_up(game, memory, positions, depth, player):
    """Return ``first`` of the current position, reached at ``depth`` by a move of ``player``, or 0 if unknown."""
    if positions.key:
        first = np.uint64(np.int64(call(positions.key, (game.rules, memory.state))))
        second = np.uint64(0)
    else:
        first, second = hash_words(memory.state, positions.words)
    mover = call(game.mover, (game.rules, memory.state))
    ply = positions.ply + depth if positions.by_ply else 0
    positions.hash = mix(first)
    positions.check = second + mix(np.uint64((((ply << 8) + mover + 2) << 8) + player))
    slot = slot_of(positions.entries, positions.capacity, positions.hash, positions.check)
    return entry_at(positions.entries, slot).first


@jit
def insert_position(positions, first):
    """Insert the position last looked up. It must not be in the table, and there must be room."""
    slot = slot_of(positions.entries, positions.capacity, positions.hash, positions.check)
    kept = entry_at(positions.entries, slot)
    kept.hash = positions.hash
    kept.check = positions.check
    kept.first = first
    positions.used += 1


@jit
def link(edges, edge, position):
    """Put an edge at the head of a position's list."""
    heads = array(edges + 8 * position, 1, np.int64)
    array(edges + 8 * edge, 1, np.int64)[0] = heads[0]
    heads[0] = edge


@entry
def unlink_children(nodes, positions_, first, count):
    """Remove contiguous edges from their lists, before they are reordered."""
    positions = record(positions_, TRANSPOSITION_TABLE)
    for edge in range(first, first + count):
        position = np.int64(node_at(nodes, edge).first) - 1
        if position >= 0:
            before = position
            while array(positions.edges + 8 * before, 1, np.int64)[0] != edge:
                before = array(positions.edges + 8 * before, 1, np.int64)[0]
            after = array(positions.edges + 8 * edge, 1, np.int64)[0]
            array(positions.edges + 8 * before, 1, np.int64)[0] = after
    return 0


@entry
def link_children(nodes, positions_, first, count):
    """Add contiguous edges to their lists again, after they were reordered."""
    positions = record(positions_, TRANSPOSITION_TABLE)
    for edge in range(first, first + count):
        position = np.int64(node_at(nodes, edge).first) - 1
        if position >= 0:
            link(positions.edges, edge, position)
    return 0


@jit
def update_edges(memory, positions, position):
    """Set the totals and squares of all edges to a position from its means."""
    here = node_at(memory.nodes, position)
    mean = here.total / here.visits
    edge = array(positions.edges + 8 * position, 1, np.int64)[0]
    while edge != 0:
        node = node_at(memory.nodes, edge)
        node.total = node.visits * mean
        if memory.squares:
            squares = array(memory.squares + 8 * position, 1, np.float64)[0] / here.visits
            array(memory.squares + 8 * edge, 1, np.float64)[0] = node.visits * squares
        edge = array(positions.edges + 8 * edge, 1, np.int64)[0]


@entry
def copy_entries(source, capacity, target, new_capacity):
    for k in range(capacity):
        kept = entry_at(source, k)
        if kept.first != 0:
            copy_bytes(
                target + slot_of(target, new_capacity, kept.hash, kept.check) * ENTRY_BYTES,
                source + k * ENTRY_BYTES,
                ENTRY_BYTES,
            )
    return 0


@entry
def copy_graph(source, columns, stride, new_root, target, new_columns, new_stride, rows, positions_, entries):
    """Copy the graph below the edge ``new_root``, breadth first, and its table entries. Return its nodes and its depth.

    In the source, ``first`` of a copied position becomes -1 - its ``first`` in the target.
    """
    positions = record(positions_, TRANSPOSITION_TABLE)
    new = records(target, new_stride, NODE)
    lists = new_columns + (positions.edges - columns) // stride * new_stride if positions.uct2 else 0
    copy_bytes(target, source + new_root * NODE_BYTES, NODE_BYTES)
    copy_columns(columns, stride, new_root, new_columns, new_stride, 0, rows, 1)
    new[ROOT].visits = node_at(source, np.int64(new[ROOT].first) - 1).visits
    positions.hits = 0
    size = 1
    done = 0
    depth = 0
    level_end = 1
    while done < size:
        if done == level_end:
            depth += 1
            level_end = size
        first = np.int64(new[done].first)
        if first >= 0 and new[done].tag == 0:
            position = node_at(source, first - 1)
            if position.first >= 0:
                count = 1 + np.int64(position.live)
                copy_bytes(target + size * NODE_BYTES, source + (first - 1) * NODE_BYTES, count * NODE_BYTES)
                copy_columns(columns, stride, first - 1, new_columns, new_stride, size, rows, count)
                new[size].first = size + 1
                position.first = -1 - (size + 1)
                if lists:
                    array(lists + 8 * size, 1, np.int64)[0] = 0
                size += count
            else:
                positions.hits += 1
            new[done].first = -1 - position.first
            if lists and done != ROOT:
                link(lists, done, np.int64(new[done].first) - 1)
        done += 1
    keep_entries(positions, source, entries)
    return size, depth


@jit
def keep_entries(positions, source, entries):
    """Insert the entries of copied positions into ``entries``."""
    used = 0
    for k in range(positions.capacity):
        kept = entry_at(positions.entries, k)
        if kept.first != 0 and node_at(source, kept.first - 1).first < 0:
            moved = entry_at(entries, slot_of(entries, positions.capacity, kept.hash, kept.check))
            moved.hash = kept.hash
            moved.check = kept.check
            moved.first = -1 - np.int64(node_at(source, kept.first - 1).first)
            used += 1
    positions.used = used
