"""The playout context: the data that a playout policy sees at each move.

A *playout policy* is compiled into the playouts of a game (``contract.bind_kernels``), and is also a kernel for the
policies that fall back on it. Its functions receive its block and the context, and are tried in this order:

* If ``winning`` is set, a move found by the game's ``winning_move`` is played at once.
* If ``explore`` returns True, a uniform move is played. A game with ``sample`` draws it without listing the moves.
* Otherwise ``choose`` returns the index of a move in the list. Only here are the classes of the moves known.

If ``listed`` is set, the list is that of the game's ``published_moves``, and its ``published_heuristic`` draws the
moves for which ``explore`` returns True.

A player with a single listed move plays it without a call of the policy.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, call, copy_bytes, record
from ramify.core.search.episode import MAX_TRACE
from ramify.core.search.tree import node_at

NO_MOVE = -1  # in place of a move: none

PLAYOUT_CONTEXT = np.dtype(
    [
        # Addresses.
        ("rules", np.int64),
        ("state", np.int64),
        ("moves", np.int64),
        ("move_classes", np.int64),  # the class of each move
        ("values", np.int64),  # scratch: one number per move
        ("probabilities", np.int64),  # of chance outcomes, or the weights of `published_moves`
        ("rng", np.int64),
        # The game.
        ("classes", np.int64),  # number of move classes
        ("classified", np.int64),  # whether classes are used
        ("max_moves", np.int64),  # size of the move buffer
        # The position.
        ("mover", np.int64),
        ("count", np.int64),  # number of moves that the policy sees
        ("previous", np.int64),  # the last move, as player * classes + class, or NO_MOVE
        ("before", np.int64),  # the one before it
        ("out_of_range", np.int64),  # 1 + a move whose class is not below `classes`; 0: none
    ]
)

PLAYOUT_BLOCK = np.dtype(
    [
        ("block", np.int64),  # of the policy
        ("context", np.int64),
        ("class_of", np.int64),  # the column of classes of the tree's moves; 0: a move is its own class
        ("uses_history", np.int64),  # whether the policy uses the last two moves
        # For Python games: the policy's kernel and those of the game.
        ("choose", np.int64),
        ("legal", np.int64),
        ("play", np.int64),
        ("mover", np.int64),
        ("chance_outcomes", np.int64),
    ]
)

TRY_BLOCK = np.dtype(
    [
        ("scratch", np.int64),  # buffer for a state
        ("out", np.int64),  # buffer for scores
        # For games without compiled playouts: their kernels and a move buffer.
        ("legal", np.int64),
        ("play", np.int64),
        ("scores", np.int64),
        ("copy", np.int64),  # 0: copy the bytes
        ("moves", np.int64),
        ("state_bytes", np.int64),
    ]
)


class PlayoutPolicy(NamedTuple):
    """Functions of a playout policy, compiled into playouts."""

    choose: Callable[[int, int], int]
    explore: Callable[[int, int], bool] | None = None
    winning: bool = False  # whether a move found by the game's ``winning_move`` is played at once
    listed: bool = False  # whether the game's ``published_moves`` lists the moves, instead of ``legal``


@jit
def begin(block, context, episode, rules, state):
    """Start a playout: write addresses and, if used, the last two moves of the path, without chance outcomes."""
    context.rules = rules
    context.state = state
    context.rng = episode.rng
    context.previous = NO_MOVE
    context.before = NO_MOVE
    if not block.uses_history:
        return
    path = array(episode.path, episode.depth + 1, np.int64)
    level = episode.depth
    while level > 0 and context.before == NO_MOVE:
        level -= 1
        made = made_at(episode.nodes, path, level, block.class_of, context.classes)
        if made == NO_MOVE:
            continue
        if context.previous == NO_MOVE:
            context.previous = made
        else:
            context.before = made


@jit
def made_at(nodes, path, level, class_of, classes):
    """Return the move made at a level of the path, as player * classes + class; NO_MOVE for a chance outcome."""
    mover = np.int64(node_at(nodes, path[level]).mover)
    if mover < 0:
        return np.int64(NO_MOVE)
    if class_of:
        return mover * classes + array(class_of + 8 * path[level + 1], 1, np.int64)[0]
    return mover * classes + np.int64(node_at(nodes, path[level + 1]).move)


@jit
def clamp_class(context, move_class):
    """Return the class, or 0 if it is out of range; playing such a move reports the error."""
    return np.uint64(move_class if 0 <= move_class < context.classes else 0)


@jit
def note_out_of_range(context, count):
    """Record a move whose class is out of range: it would index beyond the tables."""
    move_classes = array(context.move_classes, count, np.int64)
    moves = array(context.moves, count, np.int64)
    for k in range(count):
        if move_classes[k] < 0 or move_classes[k] >= context.classes:
            context.out_of_range = moves[k] + 1


@jit
def record_move(context, episode, made, mover, move_class):
    """Append a move to the trace. Return the trace's length."""
    context.before = context.previous
    context.previous = mover * context.classes + move_class
    if made == MAX_TRACE:
        return made
    array(episode.trace, MAX_TRACE, np.int64)[made] = context.previous
    return made + 1


def find_winning_move(rules, state, try_block_, moves_, count, player):
    """Return the index of the first move that ends the game with a score of 1 for ``player``, or -1."""
    try_block = record(try_block_, TRY_BLOCK)
    moves = array(moves_, count, np.int64)
    for k in range(count):
        if try_block.copy:
            call(try_block.copy, (try_block.scratch, state))
        else:
            copy_bytes(try_block.scratch, state, try_block.state_bytes)
        call(try_block.play, (rules, try_block.scratch, moves[k]))
        if call(try_block.legal, (rules, try_block.scratch, try_block.moves)) == 0:
            call(try_block.scores, (rules, try_block.scratch, try_block.out))
            if array(try_block.out, player + 1, np.float64)[player] >= 1.0:
                return k
    return -1


@cache
def winning_move_kernel():
    """The kernel for games without compiled playouts."""
    return kernel(find_winning_move)
