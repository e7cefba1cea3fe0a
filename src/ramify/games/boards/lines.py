"""Stones in a row on a square grid; shared by Gomoku and Connect 5.

The board is kept with a border: a cell's place is ``(row + 1) * rules.stride + column + 1``, and places beyond the edge
are never a stone. ``state.stones`` has 0, or 1 + the player, for every place.
"""

import numpy as np

from ramify.core.numbers.rng import below
from ramify.errors import RamifyError
from ramify.games.boards import grids
from ramify.games.boards.wide import drop, fill, nth_of, words

NONE = -1


def records(largest):
    """The dtypes of rules and states for boards up to that size."""
    rules = [("side", np.int64), ("stride", np.int64), ("points", np.int64), ("words", np.int64), ("row", np.int64)]
    state = [
        ("placed", np.int64),
        ("winner", np.int64),  # NONE while nobody has a row
        ("empty", np.uint64, (words(largest * largest),)),
        ("stones", np.int8, ((largest + 2) ** 2,)),
    ]
    return np.dtype([*rules, ("exact", np.int64)]), np.dtype(state)


def set_size(rules, size, row, exact):
    """Fill the rules: ``row`` stones win, not more than that if ``exact``."""
    rules.side, rules.stride, rules.points, rules.words = size, size + 2, size * size, words(size * size)
    rules.row, rules.exact = row, exact


def clear(rules, state):
    """Make it the empty board."""
    state.placed = 0
    state.winner = NONE
    fill(state.empty, rules.points)
    for place in range(rules.stride * rules.stride):
        state.stones[place] = 0


def finished(rules, state):
    """Whether somebody has a row or the board is full."""
    return state.winner != NONE or state.placed == rules.points


def put(rules, state, cell):
    """Place a stone of the player to move, and see whether it makes a row."""
    player = state.placed & 1
    place = place_of(rules, cell)
    state.stones[place] = player + 1
    drop(state.empty, cell)
    state.placed += 1
    if makes_row(rules, state, place, player + 1):
        state.winner = player


def makes_row(rules, state, place, colour):
    """Whether enough stones of a colour stand in line through this one, in any of four directions."""
    won = False
    for k in range(4):
        step = rules.stride + k - 1 if k < 3 else 1
        length = 1
        there = place + step
        while state.stones[there] == colour:
            length += 1
            there += step
        there = place - step
        while state.stones[there] == colour:
            length += 1
            there -= step
        won |= length == rules.row or (length > rules.row and rules.exact == 0)
    return won


def any_cell(rules, state, rng):
    """A uniform empty cell."""
    return nth_of(state.empty, below(rng, rules.points - state.placed))


def owners_of(rules, state, out):
    """Write who placed the stone on each cell."""
    for cell in range(rules.points):
        out[cell] = state.stones[place_of(rules, cell)] - 1


def result(state, out):
    """Write the scores."""
    out[0] = out[1] = 0.5
    if state.winner != NONE:
        out[state.winner] = 1.0
        out[1 - state.winner] = 0.0


def cells_of(rules, state):
    """The stones row by row from below, for texts."""
    board = state.stones[: rules.stride**2].reshape(rules.stride, rules.stride)
    return [int(stone) for stone in board[1:-1, 1:-1].flat]


def write_cells(rules, state):
    """The position as text: rows from the top."""
    return grids.write_rows(int(rules.side), cells_of(rules, state))


def read_cells(rules, state, text):
    """The way back from ``write_cells``."""
    cells = grids.read_rows(int(rules.side), text)
    mover = grids.whose_turn(cells) + 1
    clear(rules, state)
    for cell, colour in enumerate(cells):
        if colour:
            drop(state.empty, cell)
            state.placed += 1
            state.stones[place_of(rules, cell)] = colour
    if has_row(rules, state, mover):
        raise RamifyError("the player to move has already won, which cannot happen")
    if has_row(rules, state, 3 - mover):
        if not any(is_last(rules, state, cell) for cell, colour in enumerate(cells) if colour == 3 - mover):
            raise RamifyError("there are rows that no one move can have made together")
        state.winner = 2 - mover


def place_of(rules, cell):
    """Where a cell stands in ``stones``."""
    return (cell // rules.side + 1) * rules.stride + cell % rules.side + 1


def has_row(rules, state, colour):
    """Whether a row of a colour stands anywhere; for texts."""
    places = [place for place in range(int(rules.stride) ** 2) if state.stones[place] == colour]
    return any(makes_row(rules, state, place, colour) for place in places)


def is_last(rules, state, cell):
    """Whether this stone can have ended the game: without it there is no row; for texts."""
    place = place_of(rules, cell)
    colour = int(state.stones[place])
    state.stones[place] = 0
    before = has_row(rules, state, colour)
    state.stones[place] = colour
    return not before and makes_row(rules, state, place, colour)
