"""Connect 5 as the general game players have it: five in a row on 8x8, stones placed anywhere.

Players place a stone a turn on any empty cell, x first. Five or more of one's own in an unbroken line, along a row, a
column or a diagonal, win; a full board is a draw. These are the rules of ``connect5`` in the collection of the GGP
base repository. It is Gomoku on a small board, where draws are likely.

Cells are named ``a1`` (lower left) to ``h8``. Position text: the rows from the top, ``x``, ``o`` and ``.``, separated
by ``/``; the counts tell whose turn it is.
"""

from ramify.errors import RamifyError
from ramify.games.boards import grids
from ramify.games.boards.lines import (
    any_cell,
    cells_of,
    clear,
    finished,
    owners_of,
    put,
    read_cells,
    records,
    result,
    set_size,
    write_cells,
)
from ramify.games.boards.wide import listed

PLAYERS = 2
LARGEST = 8
Rules, State = records(LARGEST)


def configure(rules, size=8):
    if not 5 <= size <= LARGEST:
        raise RamifyError(f"connect5 needs a size from 5 to {LARGEST}, not {size}")
    set_size(rules, size, 5, False)


def max_moves(rules):
    return int(rules.points)


def move_classes(rules):
    return int(rules.points)


def start(rules, state):
    clear(rules, state)


def mover(rules, state):
    return state.placed & 1


def over(rules, state):
    return finished(rules, state)


def legal(rules, state, moves):
    return listed(state.empty, rules.words, moves)


def sample(rules, state, rng):
    return any_cell(rules, state, rng)


def play(rules, state, move):
    put(rules, state, move)


def owners(rules, state, out):
    owners_of(rules, state, out)


def scores(rules, state, out):
    result(state, out)


def move_name(rules, state, move):
    return grids.point_name(int(rules.side), int(move))


def write(rules, state):
    return write_cells(rules, state)


def read(rules, state, text):
    read_cells(rules, state, text)


def draw(rules, state):
    return grids.picture(int(rules.side), cells_of(rules, state))
