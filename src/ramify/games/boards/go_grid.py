"""The square board of Go, Atari Go and NoGo: rules, names of points, position texts.

Functions named like parts of the contract are used unchanged as parts of these games.
"""

import numpy as np

from ramify.games.boards import grids
from ramify.games.boards.cell_sets import words

MAX_SIZE = 19
POINTS = MAX_SIZE * MAX_SIZE

# Leading fields of the rules of these games.
RULES = [
    ("side", np.int64),
    ("points", np.int64),
    ("words", np.int64),
    ("degree", np.int64),
    ("around", np.int16, (POINTS, 4)),
]


def set_size(rules, game, size):
    """Fill in ``RULES`` for a board of ``size`` x ``size`` points."""
    grids.check_size(game, size, 2, MAX_SIZE)
    rules.side, rules.points, rules.words, rules.degree = size, size * size, words(size * size), 4
    rules.around[: size * size] = grids.neighbours(size)


def points(rules):
    """Return the number of points: the maximum number of moves, and the number of move classes."""
    return int(rules.points)


def mover(rules, state):
    return state.placed & 1


def owners(rules, state, out):
    for point in range(rules.points):
        out[point] = state.stones[point] - 1


def move_name(rules, state, move):
    return grids.point_name(int(rules.side), int(move))


def write(rules, state):
    return grids.write_rows(int(rules.side), state.stones[: rules.points])


def draw(rules, state):
    return grids.picture(int(rules.side), state.stones[: rules.points])
