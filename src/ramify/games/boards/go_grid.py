"""The square board of points that Go, Atari Go and NoGo are played on: its rules, its names and its texts.

Several functions have the names of the contract, for the games in which they are parts as they stand.
"""

import numpy as np

from ramify.games.boards import grids
from ramify.games.boards.cell_sets import words

MAX_SIZE = 19
POINTS = MAX_SIZE * MAX_SIZE

# What the rules of such a game begin with.
RULES = [
    ("side", np.int64),
    ("points", np.int64),
    ("words", np.int64),
    ("degree", np.int64),
    ("around", np.int16, (POINTS, 4)),
]


def set_size(rules, game, size):
    """Fill in the rules."""
    grids.check_size(game, size, 2, MAX_SIZE)
    rules.side, rules.points, rules.words, rules.degree = size, size * size, words(size * size), 4
    rules.around[: size * size] = grids.neighbours(size)


def points(rules):
    """How many points there are, so moves and classes of moves."""
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
