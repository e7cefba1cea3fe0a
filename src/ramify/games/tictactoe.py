"""Tic-Tac-Toe on a 3x3 board: three stones in a row win; a full board is a draw. Playouts are uniform.

Squares are named ``a1`` (bottom left) to ``c3`` (top right). Position text: the rows from the top, ``x``, ``o`` and
``.``, separated by ``/``. The number of stones determines the player to move.
"""

import numpy as np

from ramify.core.numbers.bits import ZERO, bit, has, popcount
from ramify.errors import RamifyError
from ramify.games.boards import grids
from ramify.games.boards.cell_words import list_members, random_member

PLAYERS = 2
MAX_MOVES = 9
MOVE_CLASSES = 9

State = np.dtype([("mine", np.uint64), ("theirs", np.uint64)])  # mine: of the player to move; bit 3*row + column

ALL = np.uint64(0b111_111_111)


def start(rules, state):
    state.mine = ZERO
    state.theirs = ZERO


def mover(rules, state):
    return popcount(state.mine | state.theirs) & 1


def won(stones):
    rows = stones & (stones >> np.uint64(1)) & (stones >> np.uint64(2)) & np.uint64(0b001_001_001)
    columns = stones & (stones >> np.uint64(3)) & (stones >> np.uint64(6))
    rising = stones & np.uint64(0b100_010_001) == np.uint64(0b100_010_001)
    falling = stones & np.uint64(0b001_010_100) == np.uint64(0b001_010_100)
    return (rows | columns) != ZERO or rising or falling


def over(rules, state):
    return (state.mine | state.theirs) == ALL or won(state.theirs)


def legal(rules, state, moves):
    return list_members(ALL & ~(state.mine | state.theirs), moves)


def sample(rules, state, rng):
    return random_member(ALL & ~(state.mine | state.theirs), rng)


def play(rules, state, move):
    stones = state.mine | bit(move)
    state.mine = state.theirs
    state.theirs = stones


def owners(rules, state, out):
    player = mover(rules, state)
    for square in range(9):
        out[square] = player if has(state.mine, square) else 1 - player if has(state.theirs, square) else -1


def scores(rules, state, out):
    out[0] = out[1] = 0.5
    if won(state.theirs):
        loser = mover(rules, state)
        out[loser] = 0.0
        out[1 - loser] = 1.0


def move_name(rules, state, move):
    return grids.cell_name(3, move)


def write(rules, state):
    marks = grids.marks_of(mover(rules, state), state.mine, state.theirs, range(9))
    return "/".join(reversed(grids.rows_of(3, marks)))


def read(rules, state, text):
    rows = text.strip().lower().split("/")
    if not grids.are_rows(rows, [3] * 3, "xo."):
        raise RamifyError("expected 3 rows of 3 squares (x, o, .) from the top, separated by /, e.g. .../.x./..o")
    marks = "".join(reversed(rows))
    x, o = grids.set_of(marks, "x"), grids.set_of(marks, "o")
    mine, theirs = (x, o) if grids.turn_after(x.bit_count(), o.bit_count()) == 0 else (o, x)
    if won(np.uint64(mine)):
        raise RamifyError("the player to move has already won")
    state.mine, state.theirs = mine, theirs


def draw(rules, state):
    rows = write(rules, state).split("/")
    lines = [f"{3 - k} " + " ".join(row) for k, row in enumerate(rows)]
    return "\n".join([*lines, "  a b c"])
