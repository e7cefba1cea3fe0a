"""The slots of a batch: what each simulation remembers, and how its playout goes on.

A playout that chooses move by move is asked as ``core.playouts.python_playout`` asks it, one slot after another. So a
slot keeps what that loop has at hand: the last two moves, and the *trace* of all of them for the tables that learn.
"""

import numpy as np

from ramify.core.kernels.compiling import jit
from ramify.core.kernels.pointers import array, call, copy_bytes, record
from ramify.core.playouts.context import PLAYOUT_BLOCK, PLAYOUT_CONTEXT, begin
from ramify.core.search.episode import EPISODE
from ramify.core.search.tree import SIMULTANEOUS
from ramify.errors import SimultaneousError

RANDOM_MOVE = -1  # instead of a move: any, each as likely
IDLE = -1  # instead of a node: the slot is free
IN_PLAYOUT = -2  # the simulation has left the tree
MAX_BATCH_DEPTH = 510  # a path longer than this is played out from there
MAX_BATCH_TRACE = 2048  # moves of a playout; later ones are not written down

BATCH = np.dtype(
    [
        # The game's positions, one per slot.
        ("block", np.int64),
        ("step", np.int64),  # (block): the chosen moves are made, or drawn; slots that begin anew do
        ("over", np.int64),  # (block, slot)
        ("mover", np.int64),  # (block, slot)
        ("legal", np.int64),  # (block, slot, moves) -> how many
        ("scores", np.int64),  # (block, slot, out)
        ("restart", np.int64),  # (block, slot): with the next step it is at the root
        ("chosen", np.int64),  # address: the move of each slot, or RANDOM_MOVE
        # Where they are.
        ("slots", np.int64),
        ("slot", np.int64),  # the one to be looked at next
        ("finished", np.int64),  # the one whose simulation has just ended
        ("cut", np.int64),  # whether the limit ended its playout
        ("running", np.int64),  # simulations that are not finished
        ("nodes", np.int64),  # address: the node that each slot is at, IDLE or IN_PLAYOUT
        ("depths", np.int64),  # address: the length of each path
        ("plies", np.int64),  # address: of each playout
        ("paths", np.int64),  # address: the nodes gone through, a row of PATH_BYTES for each
        ("steps", np.int64),  # made so far
        # Of playouts that choose move by move.
        ("last", np.int64),  # address: the last move and the one before, of each slot
        ("trace_lengths", np.int64),  # address: the length of each trace
        ("traces", np.int64),  # address: a row of TRACE_BYTES for each
        # Columns beside the tree.
        ("known", np.int64),  # address: the sum of the rewards of finished simulations
        ("pending", np.int64),  # address: how many are not finished
    ]
)

# A row is a little longer than it need be: rows a power of two apart would push each other out of the fast memory.
ROW_PADDING = 8
PATH_BYTES = 8 * (MAX_BATCH_DEPTH + 2 + ROW_PADDING)
TRACE_BYTES = 8 * (MAX_BATCH_TRACE + ROW_PADDING)


@jit
def load_path(memory, batch, slot):
    """Lay a slot's path down where everybody looks for it."""
    depth = array(batch.depths, batch.slots, np.int64)[slot]
    copy_bytes(memory.path, batch.paths + PATH_BYTES * slot, 8 * (depth + 1))
    record(memory.episode, EPISODE).depth = depth


@jit
def load_trace(memory, batch, slot):
    """The same with the moves of its playout."""
    episode = record(memory.episode, EPISODE)
    episode.trace_length = array(batch.trace_lengths, batch.slots, np.int64)[slot]
    copy_bytes(episode.trace, batch.traces + TRACE_BYTES * slot, 8 * episode.trace_length)


@jit
def next_move(game, plan, memory, batch, slot, fresh):
    """The next move of a slot's playout; ``fresh``: it is the first one."""
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
