"""Chomp (F. Schuh 1952, D. Gale 1974): bite off a bar of chocolate; whoever eats the poisoned square loses.

On a turn a player chooses a square that is left and eats it with everything above it and to its right. The square at
the bottom left, ``a1``, is poisoned; eating it, and so all that is left, is always allowed and loses. The first player
wins on every bar of more than one square: if taking the far corner does not win, the answer to it does, and the first
player could have taken that (D. Gale, "A curious Nim-type game", American Mathematical Monthly 81, 1974). Rules and
size, 8 columns of 7 rows, are those of the game ``chomp`` of the general game players' base collection, which
Gudmundsson and Björnsson 2013 use. A game ends because every turn eats something.

Position text: the rows from the top, ``o`` for a square that is left and ``.`` for one that is eaten, separated by
``/``, and the player to move, 1 or 2: ``oo../oo../oooo 2``.
"""

import numpy as np

from ramify.core.numbers.bits import ZERO
from ramify.core.numbers.rng import mix
from ramify.errors import RamifyError
from ramify.games.boards import grids
from ramify.games.boards.cell_words import list_members, random_member

PLAYERS = 2
MAX_SQUARES = 64
MAX_SIDE = 26

# Bit columns*row + column; row 0 is at the bottom. bites: what eating a square takes.
Rules = np.dtype([("rows", np.int64), ("columns", np.int64), ("bites", np.uint64, (MAX_SQUARES,))])
State = np.dtype([("chocolate", np.uint64), ("turn", np.int64)])


def configure(rules, rows=7, columns=8):
    if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE and 2 <= rows * columns <= MAX_SQUARES):
        raise RamifyError(
            f"chomp needs 2 to {MAX_SQUARES} squares in at most {MAX_SIDE} rows and columns, not {rows} x {columns}"
        )
    rules.rows, rules.columns = rows, columns
    for square in range(rows * columns):
        row, column = divmod(square, columns)
        rules.bites[square] = sum(1 << columns * r + c for r in range(row, rows) for c in range(column, columns))


def max_moves(rules):
    return int(rules.rows * rules.columns)


def move_classes(rules):
    return int(rules.rows * rules.columns)


def start(rules, state):
    state.chocolate = rules.bites[0]
    state.turn = 0


def mover(rules, state):
    return state.turn


def over(rules, state):
    return state.chocolate == ZERO


def legal(rules, state, moves):
    return list_members(state.chocolate, moves)


def sample(rules, state, rng):
    return random_member(state.chocolate, rng)


def play(rules, state, move):
    state.chocolate &= ~rules.bites[move]
    state.turn = 1 - state.turn


def playout(rules, state, rng):
    chocolate = state.chocolate
    plies = 0
    while chocolate != ZERO:
        chocolate &= ~rules.bites[random_member(chocolate, rng)]
        plies += 1
    state.chocolate = chocolate
    state.turn ^= plies & 1
    return plies


def scores(rules, state, out):
    out[state.turn] = 1.0  # the other one has eaten the poison
    out[1 - state.turn] = 0.0


def key(rules, state):
    return mix(state.chocolate ^ mix(np.uint64(state.turn + 1)))


def move_name(rules, state, move):
    return grids.cell_name(int(rules.columns), int(move))


def board(rules, state):
    """The rows from the top."""
    marks = "".join("o" if int(state.chocolate) >> square & 1 else "." for square in range(max_moves(rules)))
    return "/".join(reversed(grids.rows_of(int(rules.columns), marks)))


def write(rules, state):
    return f"{board(rules, state)} {state.turn + 1}"


def read(rules, state, text):
    squares, _, player = text.strip().lower().rpartition(" ")
    rows = squares.strip().split("/")
    if player not in ("1", "2"):
        raise RamifyError(f"end with the player to move, 1 or 2, not '{player}'")
    if not grids.are_rows(rows, [rules.columns] * rules.rows, "o."):
        raise RamifyError(f"give {rules.rows} rows of {rules.columns} of o and . from the top, separated by /")
    lengths = [len(row.rstrip(".")) for row in reversed(rows)]
    if any("." in row.rstrip(".") for row in rows) or lengths != sorted(lengths, reverse=True):
        raise RamifyError("where a square is eaten, everything above it and to its right must be eaten, too")
    # A row shorter than the one below needs a bite of its own; any number of bites up to one a square can follow.
    eaten = "".join(rows).count(".")
    fewest = sum(here < below for here, below in zip(lengths, [int(rules.columns), *lengths], strict=False))
    if eaten == fewest and eaten % 2 != int(player) - 1:
        raise RamifyError(f"after {eaten} bites it is the other player's turn")
    state.chocolate = sum(1 << int(rules.columns) * r + c for r, length in enumerate(lengths) for c in range(length))
    state.turn = int(player) - 1


def draw(rules, state):
    """The bar with the names of rows and columns; the poison is an x."""
    *rows, lowest = board(rules, state).split("/")
    bar = grids.numbered("/".join([*rows, lowest.replace("o", "x", 1)]))
    return f"{bar}\nplayer {state.turn + 1} to move"
