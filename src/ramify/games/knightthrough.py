"""Knightthrough on 8x8: Breakthrough with knights, which only jump forward; a knight on the far row wins.

Each player starts with two home rows full of knights, white (player 0) at the bottom. A knight jumps as in chess, but
only forward: two rows and one column, or one row and two columns. It may land on any square without a knight of its own
colour, capturing an enemy knight there. A player wins by reaching the far row or by capturing the last enemy knight.
There are no draws: a player's foremost knight can always jump. These are the rules used in general game playing (GGP).
Playouts are uniform.

Moves, including captures, are named by their squares: ``b2c4``. Position text: the rows from the top, ``w``, ``b`` and
``.``, separated by ``/``, then a space and ``w`` or ``b`` to move.
"""

import numpy as np

from ramify.core.numbers.bits import ZERO, bit, lowest, popcount, without_lowest
from ramify.errors import RamifyError
from ramify.games.boards import grids
from ramify.games.boards.cell_words import random_of_four

PLAYERS = 2
MAX_MOVES = 64  # sixteen knights with four jumps each
MOVE_CLASSES = 64 * 64

# Bit 8*row + column; row 0 is white's home.
State = np.dtype([("mover", np.int64), ("mine", np.uint64), ("theirs", np.uint64)])

HOME = np.uint64(0xFFFF)
TOP = np.uint64(0xFF << 56)
BOTTOM = np.uint64(0xFF)
# Origins from which a knight can jump one column right or left, or two columns right or left.
RIGHT, LEFT = np.uint64(0x7F7F7F7F7F7F7F7F), np.uint64(0xFEFEFEFEFEFEFEFE)
FAR_RIGHT, FAR_LEFT = np.uint64(0x3F3F3F3F3F3F3F3F), np.uint64(0xFCFCFCFCFCFCFCFC)
_6, _10, _15, _17, _48 = (np.uint64(k) for k in (6, 10, 15, 17, 48))


def start(rules, state):
    state.mover = 0
    state.mine = HOME
    state.theirs = HOME << _48


def mover(rules, state):
    return state.mover


def won(mine, theirs, player):
    """Whether the player who moved last has won; ``player`` is to move."""
    return (theirs & (TOP if player == 1 else BOTTOM)) != ZERO or mine == ZERO


def over(rules, state):
    return won(state.mine, state.theirs, state.mover)


def jumps(mine, player):
    """Return the targets of jumps one column right, one left, two right and two left."""
    right, left, far_right, far_left = mine & RIGHT, mine & LEFT, mine & FAR_RIGHT, mine & FAR_LEFT
    free = ~mine
    if player == 0:
        return (right << _17) & free, (left << _15) & free, (far_right << _10) & free, (far_left << _6) & free
    return (right >> _15) & free, (left >> _17) & free, (far_right >> _6) & free, (far_left >> _10) & free


def origins(right, left, far_right, far_left, player):
    """Return the origins of jumps to these targets."""
    if player == 0:
        return (right >> _17) | (left >> _15) | (far_right >> _10) | (far_left >> _6)
    return (right << _15) | (left << _17) | (far_right << _6) | (far_left << _10)


def legal(rules, state, moves):
    right, left, far_right, far_left = jumps(state.mine, state.mover)
    count = 0
    for kind in range(4):
        targets = right if kind == 0 else left if kind == 1 else far_right if kind == 2 else far_left
        ahead = 16 if kind < 2 else 8
        aside = (1 if kind < 2 else 2) * (1 if kind % 2 == 0 else -1)
        delta = (ahead if state.mover == 0 else -ahead) + aside
        while targets != ZERO:
            to = lowest(targets)
            moves[count] = 64 * (to - delta) + to
            targets = without_lowest(targets)
            count += 1
    return count


def play(rules, state, move):
    moved = (state.mine & ~bit(move >> 6)) | bit(move & 63)
    state.mine = state.theirs & ~bit(move & 63)
    state.theirs = moved
    state.mover = 1 - state.mover


def playout(rules, state, rng):
    """Uniform playout in local variables. The draw leaves one target in one of the four sets."""
    mine, theirs, player = state.mine, state.theirs, state.mover
    plies = 0
    while not won(mine, theirs, player):
        a, b, c, d = jumps(mine, player)
        a, b, c, d = random_of_four(a, b, c, d, rng)
        to = a | b | c | d
        mine, theirs = theirs & ~to, (mine ^ origins(a, b, c, d, player)) | to
        player = 1 - player
        plies += 1
    state.mine, state.theirs, state.mover = mine, theirs, player
    return plies


def scores(rules, state, out):
    out[state.mover] = 0.0
    out[1 - state.mover] = 1.0


def quality(rules, state):
    """Increases with the winner's lead in knights, from -16 to 16."""
    return 0.5 + (popcount(state.theirs) - popcount(state.mine)) / 34.0


def move_name(rules, state, move):
    return grids.cell_name(8, move >> 6) + grids.cell_name(8, move & 63)


def write(rules, state):
    marks = grids.marks_of(state.mover, state.mine, state.theirs, range(64), ".wb")
    return "/".join(reversed(grids.rows_of(8, marks))) + " " + "wb"[state.mover]


def read(rules, state, text):
    expected = "8 rows of 8 squares (w, b, .) from the top, separated by /, then w or b to move"
    rows, side = grids.read_rows_and_mover(text, [8] * 8, "wb", expected)
    marks = "".join(reversed(rows))
    other = "b" if side == "w" else "w"
    if max(marks.count("w"), marks.count("b")) > 16:
        raise RamifyError("expected at most 16 knights per player")
    if side in (rows[0] if side == "w" else rows[7]) or other not in marks:
        raise RamifyError("the player to move has already won")
    if (rows[0] if other == "w" else rows[7]).count(other) > 1:
        raise RamifyError("two knights on the far row: the first one ended the game")
    state.mover = "wb".index(side)
    state.mine, state.theirs = grids.set_of(marks, side), grids.set_of(marks, other)


def draw(rules, state):
    rows = write(rules, state).split()[0].split("/")
    return "\n".join([*(f"{8 - k} " + " ".join(row) for k, row in enumerate(rows)), "  a b c d e f g h"])
