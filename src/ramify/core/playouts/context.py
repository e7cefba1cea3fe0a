"""Playing move by move: what a playout that chooses among the listed moves sees at each of them.

A *chooser* is compiled into the playouts of a game (``contract.bind_kernels``), and is a kernel where another one asks
it. Its functions get its block and the spot. Some choosers make a move at once that the game's own ``winning_move`` finds.
Then ``explore`` tells whether any move will do: one is drawn, by the game's own ``sample`` where it has that, and the
moves are not even listed. Else ``choose`` gives the place of a move in the list, and only then the classes of the moves
are known. A player whose moves are listed and who has one makes it, and nobody is asked.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, call, copy_bytes, record
from ramify.core.search.episode import MAX_TRACE
from ramify.core.search.tree import node_at

NO_MOVE = -1  # instead of a move made: there was none

PLAYOUT_CONTEXT = np.dtype(
    [
        # Where everything is.
        ("rules", np.int64),
        ("state", np.int64),
        ("moves", np.int64),
        ("kinds", np.int64),  # the class of each move
        ("values", np.int64),  # room for what a chooser makes of each
        ("probabilities", np.int64),
        ("rng", np.int64),
        # The game.
        ("classes", np.int64),  # classes lie below this
        ("classified", np.int64),  # whether anybody wants to know them
        ("most", np.int64),  # moves there may be
        # The position.
        ("mover", np.int64),
        ("count", np.int64),  # of moves; a chooser sees so many
        ("previous", np.int64),  # the last move made, as player * classes + class; NOTHING: there was none
        ("before", np.int64),  # the one before it
        ("strange", np.int64),  # 1 + a move whose class is not below `classes`; 0: there was none
    ]
)

PLAYOUT_BLOCK = np.dtype(
    [
        ("block", np.int64),  # of the chooser
        ("spot", np.int64),
        ("class_of", np.int64),  # the column of classes of the tree's moves; 0: a move is its own class
        ("recalled", np.int64),  # whether a chooser looks at the last two moves
        # For games that are Python objects: the chooser, and kernels of the game.
        ("choose", np.int64),
        ("legal", np.int64),
        ("play", np.int64),
        ("mover", np.int64),
        ("chance_outcomes", np.int64),
    ]
)

TRY_BLOCK = np.dtype(
    [
        ("scratch", np.int64),  # room for a state
        ("out", np.int64),  # room for scores
        # For games whose playouts are not compiled for them: their kernels, and a buffer of moves.
        ("legal", np.int64),
        ("play", np.int64),
        ("scores", np.int64),
        ("copy", np.int64),  # 0: copy the bytes
        ("moves", np.int64),
        ("state_bytes", np.int64),
    ]
)


class PlayoutPolicy(NamedTuple):
    """The functions that choose a move, to be compiled in."""

    choose: Callable[[int, int], int]
    explore: Callable[[int, int], bool] | None = None
    winning: bool = False  # whether a move that the game's own ``winning_move`` finds is made at once


@jit
def begin(block, spot, episode, rules, state):
    """Write where everything is, and the last two moves of the tree, chance left out."""
    spot.rules = rules
    spot.state = state
    spot.rng = episode.rng
    spot.previous = NO_MOVE
    spot.before = NO_MOVE
    if not block.recalled:
        return
    path = array(episode.path, episode.depth + 1, np.int64)
    level = episode.depth
    while level > 0 and spot.before == NO_MOVE:
        level -= 1
        made = made_at(episode.nodes, path, level, block.class_of, spot.classes)
        if made == NO_MOVE:
            continue
        if spot.previous == NO_MOVE:
            spot.previous = made
        else:
            spot.before = made


@jit
def made_at(nodes, path, level, class_of, classes):
    """The move made at a level of the path, as player * classes + class; NOTHING where chance moved."""
    mover = np.int64(node_at(nodes, path[level]).mover)
    if mover < 0:
        return np.int64(NO_MOVE)
    if class_of:
        return mover * classes + array(class_of + 8 * path[level + 1], 1, np.int64)[0]
    return mover * classes + np.int64(node_at(nodes, path[level + 1]).move)


@jit
def clamp_class(spot, kind):
    """A class, or the first one instead of one that is out of bounds: who makes such a move finds out."""
    return np.uint64(kind if 0 <= kind < spot.classes else 0)


@jit
def note_out_of_range(spot, count):
    """Note a move whose class is out of bounds: tables would be read beyond their ends."""
    kinds = array(spot.kinds, count, np.int64)
    moves = array(spot.moves, count, np.int64)
    for k in range(count):
        if kinds[k] < 0 or kinds[k] >= spot.classes:
            spot.strange = moves[k] + 1


@jit
def record_move(spot, episode, made, mover, kind):
    """Write a move down; how many were written."""
    spot.before = spot.previous
    spot.previous = mover * spot.classes + kind
    if made == MAX_TRACE:
        return made
    array(episode.trace, MAX_TRACE, np.int64)[made] = spot.previous
    return made + 1


def find_winning_move(rules, state, trial_, moves_, count, player):
    """The place of the first move that wins at once, which is to end the game with a score of 1; -1 for none."""
    trial = record(trial_, TRY_BLOCK)
    moves = array(moves_, count, np.int64)
    for k in range(count):
        if trial.copy:
            call(trial.copy, (trial.scratch, state))
        else:
            copy_bytes(trial.scratch, state, trial.state_bytes)
        call(trial.play, (rules, trial.scratch, moves[k]))
        if call(trial.legal, (rules, trial.scratch, trial.moves)) == 0:
            call(trial.scores, (rules, trial.scratch, trial.out))
            if array(trial.out, player + 1, np.float64)[player] >= 1.0:
                return k
    return -1


@cache
def winning_move_kernel():
    """``find_winning_move``, for games whose playouts are not compiled for them."""
    return kernel(find_winning_move)
