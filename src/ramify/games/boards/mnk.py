"""m,n,k-games on a square grid: nearly all parts of Gomoku and Connect 5, named as in the contract.

The board has a border of one cell: ``state.stones[(row + 1) * rules.stride + column + 1]`` is 0 (empty) or 1 + player,
and border cells are always 0.
"""

import numpy as np

from ramify.core.numbers.rng import below
from ramify.errors import RamifyError
from ramify.games.boards import grids
from ramify.games.boards.cell_sets import fill, list_cells, nth_of, remove, words
from ramify.games.boards.two_player_scores import NO_WINNER, by_winner


def records(max_size):
    """Return the dtypes of rules and states for boards of up to ``max_size`` x ``max_size`` cells."""
    rules = [("side", np.int64), ("stride", np.int64), ("points", np.int64), ("words", np.int64), ("row", np.int64)]
    state = [
        ("placed", np.int64),
        ("winner", np.int64),  # NO_WINNER before the first row
        ("empty", np.uint64, (words(max_size * max_size),)),
        ("stones", np.int8, ((max_size + 2) ** 2,)),
    ]
    return np.dtype([*rules, ("exact", np.int64)]), np.dtype(state)


def set_size(rules, size, row, exact):
    """Fill in the rules: ``row`` or more stones in line win, exactly ``row`` if ``exact``."""
    rules.side, rules.stride, rules.points, rules.words = size, size + 2, size * size, words(size * size)
    rules.row, rules.exact = row, exact


def clear(rules, state):
    """Empty the board."""
    state.placed = 0
    state.winner = NO_WINNER
    fill(state.empty, rules.points)
    for place in range(rules.stride * rules.stride):
        state.stones[place] = 0


def cells(rules):
    """Return the number of cells: the maximum number of moves, and the number of move classes."""
    return int(rules.points)


def mover(rules, state):
    return state.placed & 1


def over(rules, state):
    return state.winner != NO_WINNER or state.placed == rules.points


def legal(rules, state, moves):
    return list_cells(state.empty, rules.words, moves)


def sample(rules, state, rng):
    return nth_of(state.empty, below(rng, rules.points - state.placed))


def play(rules, state, move):
    player = mover(rules, state)
    place = index_of(rules, move)
    state.stones[place] = player + 1
    remove(state.empty, move)
    state.placed += 1
    if makes_row(rules, state, place, player + 1):
        state.winner = player


def makes_row(rules, state, place, colour):
    """Whether the stone at ``place`` is part of a winning row in any of four directions."""
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
        out[cell] = state.stones[index_of(rules, cell)] - 1


def scores(rules, state, out):
    by_winner(state.winner, out)


def move_name(rules, state, move):
    return grids.cell_name(int(rules.side), int(move))


def stones_of(rules, state):
    """Return the stones row by row from the bottom, without the border."""
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
            state.stones[index_of(rules, cell)] = colour
    if has_row(rules, state, turn):
        raise RamifyError("the player to move has already won")
    if has_row(rules, state, 3 - turn):
        if not any(is_last(rules, state, cell) for cell, colour in enumerate(stones) if colour == 3 - turn):
            raise RamifyError("no single move can have completed all of these rows")
        state.winner = 2 - turn


def draw(rules, state):
    return grids.with_coordinates(write(rules, state))


def index_of(rules, cell):
    """Return the index of a cell in ``stones``."""
    return (cell // rules.side + 1) * rules.stride + cell % rules.side + 1


def has_row(rules, state, colour):
    """Whether a colour has a winning row anywhere; used by ``read``."""
    places = [place for place in range(int(rules.stride) ** 2) if state.stones[place] == colour]
    return any(makes_row(rules, state, place, colour) for place in places)


def is_last(rules, state, cell):
    """Whether this stone can have been the last one: removing it leaves no winning row; used by ``read``."""
    place = index_of(rules, cell)
    colour = int(state.stones[place])
    state.stones[place] = 0
    before = has_row(rules, state, colour)
    state.stones[place] = colour
    return not before and makes_row(rules, state, place, colour)
