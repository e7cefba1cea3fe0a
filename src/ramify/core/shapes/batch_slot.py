"""The slots of a batch: per-simulation data, and the next move of a slot's playout.

Playout policies are called as in ``core.playouts.python_playout``, one slot after another. So a slot keeps what that
loop keeps in variables: the last two moves, and the *trace* of all moves for learning tables.
"""

import numpy as np

from ramify.core.kernels.compiling import jit
from ramify.core.kernels.pointers import array, call, copy_bytes, record
from ramify.core.playouts.context import PLAYOUT_BLOCK, PLAYOUT_CONTEXT, begin
from ramify.core.search.episode import EPISODE
from ramify.core.search.tree import SIMULTANEOUS
from ramify.errors import SimultaneousError

RANDOM_MOVE = -1  # in place of a move: draw uniformly
IDLE = -1  # in place of a node: the slot is free
IN_PLAYOUT = -2  # in place of a node: the simulation has left the tree
MAX_BATCH_DEPTH = 510  # longest path in the tree; the playout starts there
MAX_BATCH_TRACE = 2048  # traced moves per playout; later ones are not recorded

BATCH = np.dtype(
    [
        # The game's positions, one per slot.
        ("block", np.int64),
        ("step", np.int64),  # (block): play the chosen or random moves; restart slots that asked for it
        ("over", np.int64),  # (block, slot)
        ("mover", np.int64),  # (block, slot)
        ("legal", np.int64),  # (block, slot, moves) -> number of moves
        ("scores", np.int64),  # (block, slot, out)
        ("restart", np.int64),  # (block, slot): return to the root at the next step
        ("chosen", np.int64),  # address: the next move of each slot, or RANDOM_MOVE
        # The simulations.
        ("slots", np.int64),
        ("slot", np.int64),  # next slot to advance
        ("finished", np.int64),  # slot whose simulation has just ended
        ("cut", np.int64),  # whether the ply limit ended its playout
        ("running", np.int64),  # number of unfinished simulations
        ("nodes", np.int64),  # address: the node of each slot, IDLE or IN_PLAYOUT
        ("depths", np.int64),  # address: the depth of each path
        ("plies", np.int64),  # address: plies of each playout
        ("paths", np.int64),  # address: the paths, PATH_BYTES per slot
        ("steps", np.int64),  # steps of the batch so far
        # For playout policies.
        ("last", np.int64),  # address: the last two moves of each slot, latest first
        ("trace_lengths", np.int64),  # address: the length of each trace
        ("traces", np.int64),  # address: the traces, TRACE_BYTES per slot
        # Columns of the tree.
        ("known", np.int64),  # address: summed rewards of finished simulations
        ("pending", np.int64),  # address: number of unfinished simulations
    ]
)

# Rows a power of two apart would map to the same cache sets, so each row is a little longer.
ROW_PADDING = 8
PATH_BYTES = 8 * (MAX_BATCH_DEPTH + 2 + ROW_PADDING)
TRACE_BYTES = 8 * (MAX_BATCH_TRACE + ROW_PADDING)


@jit
def load_path(memory, batch, slot):
    """Copy the slot's path to ``memory.path`` and its depth to the episode."""
    depth = array(batch.depths, batch.slots, np.int64)[slot]
    copy_bytes(memory.path, batch.paths + PATH_BYTES * slot, 8 * (depth + 1))
    record(memory.episode, EPISODE).depth = depth


@jit
def load_trace(memory, batch, slot):
    """Copy the slot's playout trace to the episode."""
    episode = record(memory.episode, EPISODE)
    episode.trace_length = array(batch.trace_lengths, batch.slots, np.int64)[slot]
    copy_bytes(episode.trace, batch.traces + TRACE_BYTES * slot, 8 * episode.trace_length)


@jit
def next_move(game, plan, memory, batch, slot, fresh):
    """Choose the next move of a slot's playout. ``fresh``: it is the first one."""
    playing = record(plan.playout.block, PLAYOUT_BLOCK)
    context = record(playing.context, PLAYOUT_CONTEXT)
    last = array(batch.last + 16 * slot, 2, np.int64)
    made = array(batch.trace_lengths, batch.slots, np.int64)
    if fresh:
        if playing.uses_history:
            load_path(memory, batch, slot)
        begin(playing, context, record(memory.episode, EPISODE), game.rules, memory.state)
    else:
        context.previous = last[0]
        context.before = last[1]
    mover = call(batch.mover, (batch.block, slot))
    if mover == SIMULTANEOUS:
        raise SimultaneousError
    context.mover = mover
    count = call(batch.legal, (batch.block, slot, context.moves))
    k = np.int64(0)
    if count > 1:
        context.count = count
        k = call(playing.choose, (playing.block, playing.context))
    move = array(context.moves, context.max_moves, np.int64)[k]
    if context.classified:
        last[1] = context.previous
        last[0] = mover * context.classes + move
        if made[slot] < MAX_BATCH_TRACE:
            array(batch.traces + TRACE_BYTES * slot, MAX_BATCH_TRACE, np.int64)[made[slot]] = last[0]
            made[slot] += 1
    return move
