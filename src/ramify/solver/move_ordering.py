"""Move ordering of the alpha-beta solver.

First the table's move, then moves that leave the fewest replies; ties are broken by the history heuristic. Measured on
Connect 4, Othello, Hex and Breakthrough: fewest replies first saves a factor of 5 in Connect 4 and 10 in Othello over
history alone, and costs nothing elsewhere.
"""

import numpy as np

from ramify.core.kernels.compiling import jit
from ramify.core.kernels.pointers import array
from ramify.solver.memory import HISTORY

REPLY_WEIGHT = 1 << 40  # one reply fewer outweighs any history

_K1 = np.uint64(0x9E3779B97F4A7C15)
_52 = np.uint64(52)


@jit
def history_of(player, move):
    """Index of a player's move in the history table."""
    return player * HISTORY + np.int64((np.uint64(move) * _K1) >> _52)


@jit
def ordering_score(memory, player, move, replies, preferred):
    """Ordering score of a move; the highest is searched first."""
    history = array(memory.history, 2 * HISTORY, np.int64)
    return REPLY_WEIGHT if move == preferred else history[history_of(player, move)] - replies * REPLY_WEIGHT


@jit
def credit(memory, player, move, nodes):
    """Add the work that a move has saved to its history; scale all histories down if one gets too large."""
    history = array(memory.history, 2 * HISTORY, np.int64)
    place = history_of(player, move)
    history[place] += 1 + nodes // 8
    if history[place] >= REPLY_WEIGHT:
        for k in range(2 * HISTORY):
            history[k] >>= 8


@jit
def next_move(game, memory, control, frame):
    """Remove the move with the highest ordering score from the list and return it."""
    start = (control.level - 1) * game.max_children
    moves = array(memory.moves + start * 8, game.max_children, np.int64)
    order = array(memory.order + start * 8, game.max_children, np.int64)
    chosen = 0
    for k in range(1, frame.left):
        if order[k] > order[chosen]:
            chosen = k
    move = moves[chosen]
    frame.left -= 1
    frame.move = move
    # Shift the rest, so that ties keep the game's order.
    for k in range(chosen, frame.left):
        moves[k] = moves[k + 1]
        order[k] = order[k + 1]
    return move
