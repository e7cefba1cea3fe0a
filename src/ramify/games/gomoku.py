"""Gomoku (five in a row) on 15x15 or another size: the first with five stones in an unbroken line wins.

Players place a stone a turn on any empty cell, x first; lines run along rows, columns and both diagonals. Five or
more stones win (freestyle); with ``exact=true`` it must be five and no more (standard Gomoku). A full board is a draw.
There are no opening rules. ``row`` is the number of stones that win. Freestyle rules are those of OpenSpiel's
``gomoku``.

Cells are named ``a1`` (lower left) to ``o15``. Position text: the rows from the top, ``x``, ``o`` and ``.``, separated
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
LARGEST = 19
Rules, State = records(LARGEST)


def configure(rules, size=15, row=5, exact=False):
    if not 2 <= size <= LARGEST:
        raise RamifyError(f"gomoku needs a size from 2 to {LARGEST}, not {size}")
    if not 2 <= row <= size:
        raise RamifyError(f"gomoku needs a row of 2 to {size} stones on this board, not {row}")
    set_size(rules, size, row, exact)


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
    return grids.point_name(int(rules.side), int(move), grids.LETTERS)


def write(rules, state):
    return write_cells(rules, state)


def read(rules, state, text):
    read_cells(rules, state, text)


def draw(rules, state):
    return grids.picture(int(rules.side), cells_of(rules, state), grids.LETTERS)
