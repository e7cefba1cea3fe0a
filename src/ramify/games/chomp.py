"""Chomp (F. Schuh 1952, D. Gale 1974): bite off a bar of chocolate; the player who eats the poisoned square loses.

A player chooses one of the remaining squares and eats it with everything above and to its right. The square at the
bottom left, ``a1``, is poisoned; eating it, and with it the rest of the bar, is always legal and loses. The first
player wins on every bar of more than one square: if taking the far corner does not win, the reply to it does, and the
first player could have made that move (D. Gale, "A curious Nim-type game", American Mathematical Monthly 81, 1974).
Rules and size (default: 7 rows, 8 columns) are those of ``chomp`` in the GGP base repository, which Gudmundsson and
Björnsson 2013 use. Every game ends because every move eats a square. Playouts are uniform.

Moves are named by square, ``a1`` to ``h7``. Position text: the rows from the top, ``o`` for a remaining square and
``.`` for an eaten one, separated by ``/``, and the player to move, 1 or 2: ``oo../oo../oooo 2``.
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

# Square columns*row + column; row 0 is at the bottom. bites: squares removed by each move.
Rules = np.dtype([("rows", np.int64), ("columns", np.int64), ("bites", np.uint64, (MAX_SQUARES,))])
State = np.dtype([("chocolate", np.uint64), ("turn", np.int64)])


def configure(rules, rows=7, columns=8):
    if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE and 2 <= rows * columns <= MAX_SQUARES):
        raise RamifyError(
            f"invalid board of {rows} x {columns} for chomp: use 2 to {MAX_SQUARES} squares in at most {MAX_SIDE} rows"
            " and columns"
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
    out[state.turn] = 1.0  # the opponent has eaten the poison
    out[1 - state.turn] = 0.0


def key(rules, state):
    return mix(state.chocolate ^ mix(np.uint64(state.turn + 1)))


def move_name(rules, state, move):
    return grids.cell_name(int(rules.columns), int(move))


def board(rules, state):
    marks = "".join("o" if int(state.chocolate) >> square & 1 else "." for square in range(max_moves(rules)))
    return "/".join(reversed(grids.rows_of(int(rules.columns), marks)))


def write(rules, state):
    return f"{board(rules, state)} {state.turn + 1}"


def read(rules, state, text):
    squares, _, player = text.strip().lower().rpartition(" ")
    rows = squares.strip().split("/")
    if player not in ("1", "2"):
        raise RamifyError(f"invalid player to move '{player}': expected 1 or 2 at the end")
    if not grids.are_rows(rows, [rules.columns] * rules.rows, "o."):
        raise RamifyError(f"expected {rules.rows} rows of {rules.columns} squares (o, .) from the top, separated by /")
    lengths = [len(row.rstrip(".")) for row in reversed(rows)]
    if any("." in row.rstrip(".") for row in rows) or lengths != sorted(lengths, reverse=True):
        raise RamifyError("everything above and to the right of an eaten square must also be eaten")
    # A row shorter than the one below needs its own bite; the number of bites is at most one per eaten square.
    eaten = "".join(rows).count(".")
    fewest = sum(here < below for here, below in zip(lengths, [int(rules.columns), *lengths], strict=False))
    if eaten == fewest and eaten % 2 != int(player) - 1:
        raise RamifyError(f"after {eaten} bites it is the other player's turn")
    state.chocolate = sum(1 << int(rules.columns) * r + c for r, length in enumerate(lengths) for c in range(length))
    state.turn = int(player) - 1


def draw(rules, state):
    """The poisoned square is drawn as x."""
    *rows, lowest = board(rules, state).split("/")
    bar = grids.with_coordinates("/".join([*rows, lowest.replace("o", "x", 1)]))
    return f"{bar}\nplayer {state.turn + 1} to move"
