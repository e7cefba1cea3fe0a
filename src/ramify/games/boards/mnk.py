"""Stones in a row on a square grid: nearly all parts of Gomoku and of Connect 5, under the names of the contract.

The board is kept with a border: a cell's place is ``(row + 1) * rules.stride + column + 1``, and places beyond the edge
are never a stone. ``state.stones`` has 0, or 1 + the player, for every place.
"""

import numpy as np

from ramify.core.numbers.rng import below
from ramify.errors import RamifyError
from ramify.games.boards import grids
from ramify.games.boards.cell_sets import fill, listed, nth_of, remove, words
from ramify.games.boards.two_player_scores import NOBODY, by_winner


def records(largest):
    """The dtypes of rules and states for boards up to that size."""
    rules = [("side", np.int64), ("stride", np.int64), ("points", np.int64), ("words", np.int64), ("row", np.int64)]
    state = [
        ("placed", np.int64),
        ("winner", np.int64),  # NOBODY without a row
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
    state.winner = NOBODY
    fill(state.empty, rules.points)
    for place in range(rules.stride * rules.stride):
        state.stones[place] = 0


def cells(rules):
    """How many cells there are, so moves and classes of moves."""
    return int(rules.points)


def mover(rules, state):
    return state.placed & 1


def over(rules, state):
    return state.winner != NOBODY or state.placed == rules.points


def legal(rules, state, moves):
    return listed(state.empty, rules.words, moves)


def sample(rules, state, rng):
    return nth_of(state.empty, below(rng, rules.points - state.placed))


def play(rules, state, move):
    player = mover(rules, state)
    place = place_of(rules, move)
    state.stones[place] = player + 1
    remove(state.empty, move)
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


def owners(rules, state, out):
    for cell in range(rules.points):
        out[cell] = state.stones[place_of(rules, cell)] - 1


def scores(rules, state, out):
    by_winner(state.winner, out)


def move_name(rules, state, move):
    return grids.cell_name(int(rules.side), int(move))


def stones_of(rules, state):
    """The stones row by row from below, for texts."""
    board = state.stones[: rules.stride**2].reshape(rules.stride, rules.stride)
    return [int(stone) for stone in board[1:-1, 1:-1].flat]


def write(rules, state):
    return grids.write_rows(int(rules.side), stones_of(rules, state))


def read(rules, state, text):
    stones = grids.read_rows(int(rules.side), text)
    turn = grids.whose_turn(stones) + 1
    clear(rules, state)
    for cell, colour in enumerate(stones):
        if colour:
            remove(state.empty, cell)
            state.placed += 1
            state.stones[place_of(rules, cell)] = colour
    if has_row(rules, state, turn):
        raise RamifyError("the player to move has already won, which cannot happen")
    if has_row(rules, state, 3 - turn):
        if not any(is_last(rules, state, cell) for cell, colour in enumerate(stones) if colour == 3 - turn):
            raise RamifyError("there are rows that no one move can have made together")
        state.winner = 2 - turn


def draw(rules, state):
    return grids.numbered(write(rules, state))


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
