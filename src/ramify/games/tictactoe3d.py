"""3D Tic-Tac-Toe: four in a row in a cube of 4x4x4 cells (Qubic), or three in one of 3x3x3.

Players take turns placing one stone on any empty cell, x first. A player wins by filling a straight line through the
cube. A cube of ``size=4`` has 76 lines (16 along each axis, 8 diagonals of layers along each axis, 4 space diagonals),
one of ``size=3`` has 49. A full cube is a draw. O. Patashnik proved in 1980 that the first player wins 4x4x4. The rules
are those of GGP's ``tictactoe_3d_2player`` (4x4x4) and of OpenSpiel's ``gomoku`` in three dimensions.
Playouts are uniform.

Cells are named by layer, column and row: ``Aa1`` is at the lower left of the first layer. Position text: the layers,
separated by spaces, each as rows from the top, ``x``, ``o`` and ``.``, separated by ``/``. The number of stones
determines the player to move.
"""

from itertools import product

import numpy as np

from ramify.core.numbers.bits import ZERO, bit, has, popcount
from ramify.errors import RamifyError
from ramify.games.boards import grids
from ramify.games.boards.cell_words import list_members, random_member

PLAYERS = 2
MAX_MOVES = 64
THROUGH = 13  # maximum number of lines through a cell: the centre of 3x3x3

Rules = np.dtype(
    [
        ("side", np.int64),
        ("cube", np.uint64),  # all cells, numbered layer by layer, row by row
        ("lines", np.uint64, (64, THROUGH)),  # the lines through each cell, then zeros
        ("count", np.int64, (64,)),  # number of lines through each cell
    ]
)
State = np.dtype([("mine", np.uint64), ("theirs", np.uint64), ("won", np.int64)])  # won: whether the last move won


def configure(rules, size=4):
    if size not in (3, 4):
        raise RamifyError(f"invalid size={size} for tictactoe3d: use 3 or 4")
    rules.side = size
    rules.cube = (1 << size**3) - 1
    for line in all_lines(size):
        mask = sum(1 << cell for cell in line)
        for cell in line:
            rules.lines[cell, rules.count[cell]] = mask
            rules.count[cell] += 1


def all_lines(size):
    """Return all straight lines of ``size`` cells, each once."""
    lines = set()
    inside = range(size)
    for first in product(inside, repeat=3):
        for step in product((-1, 0, 1), repeat=3):
            cells = [tuple(a + k * d for a, d in zip(first, step, strict=True)) for k in inside]
            if any(step) and all(a in inside for cell in cells for a in cell):
                lines.add(frozenset(size * size * z + size * y + x for z, y, x in cells))
    return lines


def move_classes(rules):
    return int(rules.side**3)


def start(rules, state):
    state.mine = ZERO
    state.theirs = ZERO
    state.won = 0


def mover(rules, state):
    return popcount(state.mine | state.theirs) & 1


def over(rules, state):
    return state.won != 0 or (state.mine | state.theirs) == rules.cube


def legal(rules, state, moves):
    return list_members(rules.cube & ~(state.mine | state.theirs), moves)


def sample(rules, state, rng):
    return random_member(rules.cube & ~(state.mine | state.theirs), rng)


def completes(rules, stones, cell):
    """Whether these stones fill a line through the cell."""
    full = False
    for k in range(rules.count[cell]):
        full |= rules.lines[cell, k] & ~stones == ZERO
    return full


def play(rules, state, move):
    stones = state.mine | bit(move)
    state.mine = state.theirs
    state.theirs = stones
    state.won = completes(rules, stones, move)


def playout(rules, state, rng):
    """Uniform play in local variables."""
    mine, theirs = state.mine, state.theirs
    cells = rules.cube & ~(mine | theirs)
    plies = 0
    won = False
    while not won and cells != ZERO:
        cell = random_member(cells, rng)
        cells ^= bit(cell)
        mine, theirs = theirs, mine | bit(cell)
        won = completes(rules, theirs, cell)
        plies += 1
    state.mine, state.theirs, state.won = mine, theirs, won
    return plies


def owners(rules, state, out):
    player = mover(rules, state)
    for cell in range(rules.side**3):
        out[cell] = player if has(state.mine, cell) else 1 - player if has(state.theirs, cell) else -1


def scores(rules, state, out):
    out[0] = out[1] = 0.5
    if state.won != 0:
        loser = mover(rules, state)
        out[loser] = 0.0
        out[1 - loser] = 1.0


def move_name(rules, state, move):
    layer, cell = divmod(int(move), int(rules.side) ** 2)
    return "ABCD"[layer] + grids.point_name(int(rules.side), cell)


def layers(rules, state):
    """Return the stones of each layer."""
    side = int(rules.side)
    marks = grids.marks_of(mover(rules, state), state.mine, state.theirs, range(side**3))
    return grids.rows_of(side * side, [grids.MARKS.index(mark) for mark in marks])


def write(rules, state):
    return " ".join(grids.write_rows(int(rules.side), layer) for layer in layers(rules, state))


def read(rules, state, text):
    side = int(rules.side)
    parts = text.split()
    if len(parts) != side:
        raise RamifyError(
            f"expected {side} layers of {side} rows of {side} cells (x, o, .), separated by spaces and by /"
        )
    cells = [cell for part in parts for cell in grids.read_rows(side, part)]
    turn = grids.whose_turn(cells)
    x, o = (np.uint64(grids.set_of(cells, stone)) for stone in (1, 2))
    mine, theirs = (x, o) if turn == 0 else (o, x)
    if full_lines(rules, mine):
        raise RamifyError("the player to move has already won")
    made = full_lines(rules, theirs)
    if made and np.bitwise_and.reduce(made) == ZERO:
        raise RamifyError("no single move can have completed all of these rows")
    state.mine, state.theirs, state.won = mine, theirs, bool(made)


def full_lines(rules, stones):
    """Return the lines that these stones fill; used by ``read``."""
    return [line for line in np.unique(rules.lines) if line != ZERO and line & ~stones == ZERO]


def draw(rules, state):
    pictures = [grids.picture(int(rules.side), layer).splitlines() for layer in layers(rules, state)]
    names = ["   " + f"layer {'ABCD'[k]}".ljust(2 * int(rules.side) - 1) for k in range(len(pictures))]
    width = max(len(line) for line in (*names, *(line for picture in pictures for line in picture)))
    rows = [names, *zip(*pictures, strict=True)]
    return "\n".join("  ".join(part.ljust(width) for part in row).rstrip() for row in rows)
