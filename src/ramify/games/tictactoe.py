"""Tic-Tac-Toe on a 3x3 board: three of one's own in a row win.

Squares are named a1 (bottom left) to c3 (top right). Position text: the rows from the top, ``x``, ``o`` and ``.``,
separated by ``/``; whose turn it is follows from the counts.
"""

import numpy as np

from ramify.core.numbers.bits import ZERO, bit, has, lowest, nth, popcount, without_lowest
from ramify.core.numbers.rng import below
from ramify.errors import RamifyError

PLAYERS = 2
MAX_MOVES = 9
MOVE_CLASSES = 9

State = np.dtype([("mine", np.uint64), ("theirs", np.uint64)])  # of the player to move; bit 3*row + column

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
    free = ALL & ~(state.mine | state.theirs)
    count = 0
    while free != ZERO:
        moves[count] = lowest(free)
        free = without_lowest(free)
        count += 1
    return count


def sample(rules, state, rng):
    free = ALL & ~(state.mine | state.theirs)
    return nth(free, below(rng, popcount(free)))


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
    return "abc"[move % 3] + str(move // 3 + 1)


def stones_by_player(state):
    """The stones of x and of o, whoever is to move."""
    pair = (int(state.mine), int(state.theirs))
    return pair if popcount(state.mine | state.theirs) % 2 == 0 else pair[::-1]


def write(rules, state):
    x, o = stones_by_player(state)
    marks = ["x" if x >> k & 1 else "o" if o >> k & 1 else "." for k in range(9)]
    return "/".join("".join(marks[3 * row : 3 * row + 3]) for row in (2, 1, 0))


def read(rules, state, text):
    rows = text.strip().lower().split("/")
    if len(rows) != 3 or any(len(row) != 3 or set(row) - set("xo.") for row in rows):
        raise RamifyError("give three rows of x, o and . from the top, like .../.x./..o")
    marks = "".join(reversed(rows))
    x, o = (sum(1 << k for k in range(9) if marks[k] == mark) for mark in "xo")
    if x.bit_count() - o.bit_count() not in (0, 1):
        raise RamifyError("x moves first, so there must be as many x as o, or one more")
    mine, theirs = (x, o) if x.bit_count() == o.bit_count() else (o, x)
    if won(np.uint64(mine)):
        raise RamifyError("the player to move has already won, which cannot happen")
    state.mine, state.theirs = mine, theirs


def draw(rules, state):
    rows = write(rules, state).split("/")
    lines = [f"{3 - k} " + " ".join(row) for k, row in enumerate(rows)]
    return "\n".join([*lines, "  a b c"])
