"""Lanes of simulations in flight: what each remembers, and how its playout goes on.

A playout that chooses move by move is asked as ``core.playouts.python_playout`` asks it, one lane after another. So a
lane keeps what that loop has at hand: the last two moves, and the *trace* of all of them for the tables that learn.
"""

import numpy as np

from ramify.core.kernels.compiling import jit
from ramify.core.kernels.pointers import array, call, copy_bytes, record
from ramify.core.playouts.context import PLAYING, SPOT, begin
from ramify.core.search.episode import EPISODE
from ramify.core.search.tree import EVERYBODY
from ramify.errors import SimultaneousError

DRAW = -1  # instead of a move: any, each as likely
IDLE = -1  # instead of a node: nothing is in flight
OUT = -2  # the simulation has left the tree
DEEPEST = 510  # a path longer than this is played out from there
LONGEST = 2048  # moves of a playout; later ones are not written down

FLIGHT = np.dtype(
    [
        # The game's lanes.
        ("block", np.int64),
        ("step", np.int64),  # (block): the chosen moves are made, or drawn; lanes that begin anew do
        ("over", np.int64),  # (block, lane)
        ("mover", np.int64),  # (block, lane)
        ("legal", np.int64),  # (block, lane, moves) -> how many
        ("scores", np.int64),  # (block, lane, out)
        ("restart", np.int64),  # (block, lane): with the next step it is at the root
        ("chosen", np.int64),  # address: the move of each lane, or DRAW
        # Where they are.
        ("lanes", np.int64),
        ("lane", np.int64),  # the one to be looked at next
        ("flying", np.int64),  # simulations that are not finished
        ("nodes", np.int64),  # address: the node that each lane is at, IDLE or OUT
        ("depths", np.int64),  # address: the length of each path
        ("plies", np.int64),  # address: of each playout
        ("paths", np.int64),  # address: the nodes gone through, a row of PATH_BYTES for each
        ("steps", np.int64),  # made so far
        # Of playouts that choose move by move.
        ("last", np.int64),  # address: the last move and the one before, of each lane
        ("made", np.int64),  # address: the length of each trace
        ("traces", np.int64),  # address: a row of TRACE_BYTES for each
        # Columns beside the tree.
        ("known", np.int64),  # address: the sum of the rewards of finished simulations
        ("pending", np.int64),  # address: how many are not finished
    ]
)

# A row is a little longer than it need be: rows a power of two apart would push each other out of the fast memory.
APART = 8
PATH_BYTES = 8 * (DEEPEST + 2 + APART)
TRACE_BYTES = 8 * (LONGEST + APART)


@jit
def bring_path(memory, flight, lane):
    """Lay a lane's path down where everybody looks for it."""
    depth = array(flight.depths, flight.lanes, np.int64)[lane]
    copy_bytes(memory.path, flight.paths + PATH_BYTES * lane, 8 * (depth + 1))
    record(memory.episode, EPISODE).depth = depth


@jit
def bring_trace(memory, flight, lane):
    """The same with the moves of its playout."""
    episode = record(memory.episode, EPISODE)
    episode.made = array(flight.made, flight.lanes, np.int64)[lane]
    copy_bytes(episode.trace, flight.traces + TRACE_BYTES * lane, 8 * episode.made)


@jit
def next_move(game, plan, memory, flight, lane, fresh):
    """The next move of a lane's playout; ``fresh``: it is the first one."""
    playing = record(plan.playout.block, PLAYING)
    spot = record(playing.spot, SPOT)
    last = array(flight.last + 16 * lane, 2, np.int64)
    made = array(flight.made, flight.lanes, np.int64)
    if fresh:
        if playing.recalled:
            bring_path(memory, flight, lane)
        begin(playing, spot, record(memory.episode, EPISODE), game.rules, memory.state)
    else:
        spot.previous = last[0]
        spot.before = last[1]
    mover = call(flight.mover, (flight.block, lane))
    if mover == EVERYBODY:
        raise SimultaneousError
    spot.mover = mover
    count = call(flight.legal, (flight.block, lane, spot.moves))
    k = np.int64(0)
    if count > 1:
        spot.count = count
        k = call(playing.choose, (playing.block, playing.spot))
    move = array(spot.moves, spot.most, np.int64)[k]
    if spot.classified:
        last[1] = spot.previous
        last[0] = mover * spot.classes + move
        if made[lane] < LONGEST:
            array(flight.traces + TRACE_BYTES * lane, LONGEST, np.int64)[made[lane]] = last[0]
            made[lane] += 1
    return move
