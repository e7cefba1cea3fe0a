"""All moves as first (AMAF): statistics of moves played anywhere later in a simulation.

Every child has a *move class* and two sums. They run over the simulations through its parent in which the parent's
player played a move of that class, there or later: their number (``S``) and the player's total reward (``R``). RAVE
(Gelly and Silver 2007) uses the sums of each node's own children. GRAVE (Cazenave 2015) uses those of an ancestor: a
node then has a *table* with one pair of sums per player and class. Before a selection the pairs of the node's children
are copied from the table of the closest ancestor with more than ``ref`` simulations.

The moves played are known in one of two ways. If the game's final board shows who made each move (its part
``owners``), that is enough. Otherwise the playout records a *trace*: one number per move, in order.

``classify`` is an ``on_expand`` hook, ``credit`` an ``on_simulation`` hook, and ``inherit`` is GRAVE's
``before_select``.
"""

from functools import cache

import numpy as np

from ramify.core.hooks.class_column import write_classes
from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, call, record
from ramify.core.numbers.rng import uniform
from ramify.core.search.episode import EPISODE
from ramify.core.search.plan import DONE, FULL
from ramify.core.search.tree import node_at

# Error models (``write_values``).
NONE, INDISCRIMINATE, LOWER, RAISE = range(4)

AMAF = np.dtype(
    [
        # The game: kernels (rules, state, out) and (rules, state, moves, count, out).
        ("owners", np.int64),  # 0: use the trace
        ("classify", np.int64),  # 0: a move is its own class
        ("players", np.int64),
        ("classes", np.int64),
        # Moves of this simulation.
        ("owned", np.int64),  # by class: the player who made such a move, written by `owners`
        ("played", np.int64),  # by player and class: 1 if the player made such a move
        ("latest", np.int64),  # by player and class: `began` + the earliest recorded ply of such a move
        ("seen", np.int64),  # the recorded players and classes, each once
        ("seen_count", np.int64),
        ("began", np.int64),  # greater than any value in `latest` from an earlier simulation
        # Columns over all nodes.
        ("class_of", np.int64),
        ("counts", np.int64),  # S
        ("totals", np.int64),  # R
        ("table_of", np.int64),  # the node's table, counted from 1; 0: none
        # Statistics.
        ("columns", np.int64),  # whether S and R of all children are kept (RAVE)
        ("tables", np.int64),  # address of the tables (GRAVE); 0: none
        ("used", np.int64),  # tables in use
        ("capacity", np.int64),  # allocated tables
        ("max_tables", np.int64),  # upper limit of `capacity`; at the limit new nodes get no table
        ("ref", np.int64),
        ("source", np.int64),  # the table that `inherit` copies from
        ("weighted", np.int64),  # whether early moves weigh more, up to 2
        ("out_of_range", np.int64),  # 1 + a move whose class is not below `classes`; 0: none
        # The error model, and the rewards credited: one per player, then one per player for the target class.
        ("errors", np.int64),
        ("target", np.int64),  # a class, or -1
        ("shared", np.int64),
        ("per_node", np.int64),  # whether every node of the path draws for itself
        ("root_only", np.int64),  # whether only the root's updates are false
        ("spares_own", np.int64),  # whether the move made at a node is credited truly there
        ("mu", np.float64),
        ("values", np.int64),
    ]
)

TABLE_MIN_VISITS = 4  # a node gets a table at this many visits: tables are large, and most nodes have fewer


def classify(block, episode_, first, count):
    """Write the classes of new children. Their moves are in ``episode.moves``."""
    amaf = record(block, AMAF)
    episode = record(episode_, EPISODE)
    wrong = write_classes(episode, amaf.classify, amaf.classes, amaf.class_of + 8 * first, count)
    if wrong:
        amaf.out_of_range = wrong
    return 0


def credit(block, episode_):
    """Credit the moves of a simulation. Return FULL if the tables must grow, else DONE."""
    amaf = record(block, AMAF)
    episode = record(episode_, EPISODE)
    depth = episode.depth
    path = array(episode.path, depth + 1, np.int64)
    values = array(amaf.values, 2 * amaf.players, np.float64)
    made = 0
    if amaf.owners:
        call(amaf.owners, (episode.rules, episode.state, amaf.owned))
        if amaf.columns:
            mark_played(amaf)
    else:
        made = record_playout(amaf, episode)
    by_node = amaf.per_node or amaf.root_only
    write_values(amaf, episode, path, values, not by_node)
    if amaf.tables:
        assign_table(amaf, episode, path)
    for level in range(depth - 1, -1, -1):
        node = node_at(episode.nodes, path[level])
        mover = np.int64(node.mover)
        if mover < 0:
            continue
        if not amaf.owners:
            record_move(amaf, mover * amaf.classes + at(amaf.class_of, path[level + 1]), amaf.began + level)
        if by_node:
            write_values(amaf, episode, path, values, level == 0 or not amaf.root_only)
        if amaf.columns:
            credit_children(amaf, np.int64(node.first), np.int64(node.live), mover, level, depth + made, values)
        if amaf.tables and at(amaf.table_of, path[level]):
            credit_table(amaf, at(amaf.table_of, path[level]), level, depth + made, values)
        if amaf.spares_own:
            spare_own_move(amaf, episode, path, level, depth + made, values)
    amaf.began += depth + made
    amaf.source = at(amaf.table_of, path[0])  # the next simulation starts at the root
    return FULL if amaf.tables != 0 and amaf.used == amaf.capacity and amaf.capacity < amaf.max_tables else DONE


def inherit(block, episode_, node):
    """Copy S and R to the children of ``node`` from the closest table above ``ref``, or from the root's (GRAVE)."""
    amaf = record(block, AMAF)
    table = at(amaf.table_of, node)
    if table and sums_of(amaf, table)[2 * amaf.players * amaf.classes] > amaf.ref:
        amaf.source = table
    if amaf.source == 0:
        return 0
    here = node_at(record(episode_, EPISODE).nodes, node)
    first, count = np.int64(here.first), np.int64(here.live)
    sums = sums_of(amaf, amaf.source)
    class_of = array(amaf.class_of + 8 * first, count, np.int64)
    counts = array(amaf.counts + 8 * first, count, np.float64)
    totals = array(amaf.totals + 8 * first, count, np.float64)
    start = np.int64(here.mover) * amaf.classes
    for k in range(count):
        counts[k] = sums[2 * (start + class_of[k])]
        totals[k] = sums[2 * (start + class_of[k]) + 1]
    return 0


@jit
def at(column, node):
    return array(column + 8 * node, 1, np.int64)[0]


@jit
def sums_of(amaf, table):
    """Return a table: S and R of each player and class, followed by the number of simulations."""
    width = 2 * amaf.players * amaf.classes + 1
    return array(amaf.tables + 8 * (table - 1) * width, width, np.float64)


@jit
def mark_played(amaf):
    """Write 1 for each (player, class) that was played, else 0. Branching instead would be unpredictable."""
    owned = array(amaf.owned, amaf.classes, np.int8)
    for player in range(amaf.players):
        played = array(amaf.played + 8 * player * amaf.classes, amaf.classes, np.float64)
        for k in range(amaf.classes):
            played[k] = np.float64(owned[k] == player)


@jit
def record_move(amaf, made, ply):
    """Record a move, given as player * classes + class. Moves arrive in reverse order, so the earliest ply remains."""
    latest = array(amaf.latest, amaf.players * amaf.classes, np.int64)
    if latest[made] < amaf.began:
        array(amaf.seen, amaf.seen_count + 1, np.int64)[amaf.seen_count] = made
        amaf.seen_count += 1
    latest[made] = ply


@jit
def record_playout(amaf, episode):
    """Record the moves of the playout. Return their number."""
    made = episode.trace_length
    trace = array(episode.trace, made, np.int64)
    amaf.seen_count = 0
    for ply in range(made - 1, -1, -1):
        record_move(amaf, trace[ply], amaf.began + episode.depth + ply)
    return made


@jit
def write_values(amaf, episode, path, values, may_err):
    """Write the reward credited to each player's moves: the player's score or, by an error model, its inverse.

    The models are those of D. Tom, "Investigating UCT and RAVE" (2010), section 5.6. One draw decides whether the error
    model applies: one per simulation, or one per node.
    """
    players = amaf.players
    scores = array(episode.scores, players, np.float64)
    for player in range(players):
        values[player] = scores[player]
        values[players + player] = scores[player]
    if amaf.errors == NONE or not may_err or uniform(array(episode.rng, 1, np.uint64)) >= amaf.mu:
        return
    if amaf.errors == INDISCRIMINATE:
        for player in range(players):
            values[player] = 1.0 - scores[player]
        return
    player = first_to_make(amaf, episode, path)
    if player < 0:
        return
    if (amaf.errors == LOWER and scores[player] > 0.5) or (amaf.errors == RAISE and scores[player] < 0.5):
        values[players + player] = 1.0 - scores[player]
        if amaf.shared:
            values[player] = 1.0 - scores[player]


@jit
def spare_own_move(amaf, episode, path, level, plies, values):
    """Replace what the move made at a node was credited with there by its player's score."""
    child = path[level + 1]
    mover = np.int64(node_at(episode.nodes, path[level]).mover)
    own = at(amaf.class_of, child)
    credited = values[amaf.players + mover] if own == amaf.target else values[mover]
    difference = array(episode.scores, amaf.players, np.float64)[mover] - credited
    if difference == 0.0:
        return
    made = mover * amaf.classes + own
    share = 1.0 if amaf.owners else weight(amaf, made, level, plies)
    if amaf.columns:
        array(amaf.totals + 8 * child, 1, np.float64)[0] += share * difference
    if amaf.tables and at(amaf.table_of, path[level]):
        sums_of(amaf, at(amaf.table_of, path[level]))[2 * made + 1] += share * difference


@jit
def first_to_make(amaf, episode, path):
    """Return the first player to play the target class in this simulation, or -1."""
    if amaf.owners:
        return np.int64(array(amaf.owned, amaf.classes, np.int8)[amaf.target])
    for level in range(episode.depth):
        mover = np.int64(node_at(episode.nodes, path[level]).mover)
        if mover >= 0 and at(amaf.class_of, path[level + 1]) == amaf.target:
            return mover
    latest = array(amaf.latest, amaf.players * amaf.classes, np.int64)
    found = np.int64(-1)
    for player in range(amaf.players):
        ply = latest[player * amaf.classes + amaf.target]
        if ply >= amaf.began and (found < 0 or ply < latest[found * amaf.classes + amaf.target]):
            found = np.int64(player)
    return found


@jit
def weight(amaf, made, level, plies):
    """Weight of a move at a node: 1; if ``weighted``, from 2 for a move made there down to 1 at the end (Fuego)."""
    if not amaf.weighted:
        return 1.0
    ply = array(amaf.latest + 8 * made, 1, np.int64)[0] - amaf.began
    return 2.0 - (ply - level) / (plies - level)


@jit
def credit_children(amaf, first, count, mover, level, plies, values):
    """Update S and R of the children whose class the mover played, here or later."""
    class_of = array(amaf.class_of + 8 * first, count, np.int64)
    counts = array(amaf.counts + 8 * first, count, np.float64)
    totals = array(amaf.totals + 8 * first, count, np.float64)
    value, aimed = values[mover], values[amaf.players + mover]
    # Local copies: the compiler cannot rule out that the writes below change them.
    target, began = amaf.target, amaf.began
    if amaf.owners:
        played = array(amaf.played + 8 * mover * amaf.classes, amaf.classes, np.float64)
        for k in range(count):
            share = played[np.uint64(class_of[k])]
            counts[k] += share
            totals[k] += share * value
        if aimed != value:
            for k in range(count):
                if class_of[k] == target:
                    totals[k] += played[target] * (aimed - value)
        return
    latest = array(amaf.latest + 8 * mover * amaf.classes, amaf.classes, np.int64)
    for k in range(count):
        if latest[np.uint64(class_of[k])] >= began:
            share = weight(amaf, mover * amaf.classes + class_of[k], level, plies)
            counts[k] += share
            totals[k] += share * (aimed if class_of[k] == target else value)


@jit
def assign_table(amaf, episode, path):
    """Assign a table to the first node of the path that lacks one and has TABLE_MIN_VISITS, if one is free."""
    if amaf.used == amaf.capacity:
        return
    for level in range(episode.depth):
        node = node_at(episode.nodes, path[level])
        often = level == 0 or node.visits >= TABLE_MIN_VISITS
        if often and node.mover >= 0 and at(amaf.table_of, path[level]) == 0:
            amaf.used += 1
            array(amaf.table_of + 8 * path[level], 1, np.int64)[0] = amaf.used
            sums_of(amaf, amaf.used)[:] = 0.0
            return


@jit
def credit_table(amaf, table, level, plies, values):
    """Add the moves of the simulation to the table of the node at ``level``."""
    sums = sums_of(amaf, table)
    sums[2 * amaf.players * amaf.classes] += 1.0
    if amaf.owners:
        owned = array(amaf.owned, amaf.classes, np.int8)
        for k in range(amaf.classes):
            player = np.int64(owned[k])
            if player >= 0:
                entry = 2 * (player * amaf.classes + k)
                sums[entry] += 1.0
                sums[entry + 1] += values[amaf.players + player] if k == amaf.target else values[player]
        return
    seen = array(amaf.seen, amaf.seen_count, np.int64)
    for k in range(amaf.seen_count):
        player = seen[k] // amaf.classes
        aimed = seen[k] - player * amaf.classes == amaf.target
        share = weight(amaf, seen[k], level, plies)
        sums[2 * seen[k]] += share
        sums[2 * seen[k] + 1] += share * (values[amaf.players + player] if aimed else values[player])


@cache
def credit_kernel():
    return kernel(credit)


@cache
def classify_kernel():
    return kernel(classify)


@cache
def inherit_kernel():
    return kernel(inherit)
