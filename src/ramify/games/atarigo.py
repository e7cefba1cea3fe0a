"""Atari Go (first-capture Go, Y. Yasuda's Capture Go) on 9x9 or another size: the first to capture any stone wins.

Players place a stone a turn on an empty point, x first, and never pass. Whoever takes the last liberty of a chain of
the other's wins at once; the stones then stay on the board. Suicide, a stone without liberty that takes no chain's
last liberty, is illegal, and a player without a legal move has lost.

Points are named as in Go: ``a1`` is the lower left one, the letter i is left out. Position text: the rows from the
top, ``x``, ``o`` and ``.``, separated by ``/``; the counts tell whose turn it is.
"""

import numpy as np

from ramify.errors import RamifyError
from ramify.games.boards import grids
from ramify.games.boards.cell_sets import drop, fill, words
from ramify.games.boards.chains import captures, clear, fields, join, press, suffocated
from ramify.games.boards.placement import NOWHERE, any_place, places, stuck

PLAYERS = 2
LARGEST = 19
POINTS = LARGEST * LARGEST

Rules = np.dtype(
    [
        ("side", np.int64),
        ("points", np.int64),
        ("words", np.int64),
        ("degree", np.int64),
        ("around", np.int16, (POINTS, 4)),
    ]
)
State = np.dtype(
    [
        ("placed", np.int64),  # stones on the board
        ("captor", np.int64),  # 1 + the player who has captured, or 0
        ("empty", np.uint64, (words(POINTS),)),
        *fields(POINTS),
    ]
)


def configure(rules, size=9):
    if not 2 <= size <= LARGEST:
        raise RamifyError(f"atarigo needs a size from 2 to {LARGEST}, not {size}")
    rules.side, rules.points, rules.words = size, size * size, words(size * size)
    rules.degree = 4
    rules.around[: size * size] = grids.neighbours(size)


def max_moves(rules):
    return int(rules.points)


def move_classes(rules):
    return int(rules.points)


def start(rules, state):
    state.placed = 0
    state.captor = 0
    clear(rules, state)
    fill(state.empty, rules.points)


def mover(rules, state):
    return state.placed & 1


def over(rules, state):
    return state.captor > 0 or stuck(rules, state, mover(rules, state) + 1)


def legal(rules, state, moves):
    return places(rules, state, mover(rules, state) + 1, moves)


def sample(rules, state, rng):
    """A uniform legal move, or NOWHERE."""
    return any_place(rules, state, mover(rules, state) + 1, rules.points - state.placed, rng)


def play(rules, state, move):
    colour = mover(rules, state) + 1
    press(rules, state, move, -1)
    if captures(rules, state, move, colour):
        state.captor = colour
    join(rules, state, move, colour)
    drop(state.empty, move)
    state.placed += 1


def playout(rules, state, rng):
    """Uniform play; that nobody can move shows when ``sample`` finds nothing."""
    before = state.placed
    while state.captor == 0:
        point = sample(rules, state, rng)
        if point == NOWHERE:
            break
        play(rules, state, point)
    return state.placed - before


def owners(rules, state, out):
    for point in range(rules.points):
        out[point] = state.stones[point] - 1


def scores(rules, state, out):
    winner = state.captor - 1 if state.captor > 0 else 1 - mover(rules, state)
    out[winner] = 1.0
    out[1 - winner] = 0.0


def move_name(rules, state, move):
    return grids.point_name(int(rules.side), move)


def write(rules, state):
    return grids.write_rows(int(rules.side), state.stones[: rules.points])


def read(rules, state, text):
    cells = grids.read_rows(int(rules.side), text)
    last = 2 - grids.whose_turn(cells)
    set_up(rules, state, cells)
    if suffocated(rules, state) < 0:
        return
    for point, cell in enumerate(cells):  # a capture: the last stone, put aside, leaves every chain a liberty
        if cell == last:
            set_up(rules, state, [*cells[:point], 0, *cells[point + 1 :]])
            if suffocated(rules, state) < 0:
                play(rules, state, point)
                if state.captor > 0:
                    return
    raise RamifyError("chains without liberties stand where no last move has captured them")


def set_up(rules, state, cells):
    """Write the position with these stones."""
    start(rules, state)
    for point, cell in enumerate(cells):
        if cell:
            press(rules, state, point, -1)
            join(rules, state, point, cell)
            drop(state.empty, point)
            state.placed += 1


def draw(rules, state):
    return grids.picture(int(rules.side), state.stones[: rules.points])
