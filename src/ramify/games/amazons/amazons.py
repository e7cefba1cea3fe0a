"""Amazons (Walter Zamkauskas 1988) on 10x10, 8x8 or 6x6: move a queen, shoot an arrow, be the last who can.

Each side has four queens. A move takes one of them along a row, a column or a diagonal over empty squares, and then
shoots an arrow from where she stands, likewise; the arrow's square is blocked for good. There are no captures. Whoever
cannot move loses, and as every move blocks a square there is always somebody. Player 0 is white, ``w``. With
``plies=1`` (the default) queen and arrow are one move; with ``plies=2`` they are two moves of the same player in
succession. The set-ups are those of OpenSpiel's ``amazons``, whose moves are three plies: which queen, where, arrow.

Moves are named ``d1-d7/g7``, queen from and to and arrow; with ``plies=2`` ``d1-d7`` and then ``g7``. Position text:
the rows from the top, ``w``, ``b``, ``#`` for arrows and ``.``, separated by ``/``, then ``w`` or ``b`` to move and,
between the two plies, the square of the queen that has to shoot.
"""

import numpy as np

from ramify.core.numbers.bits import ZERO, lowest, popcount, without_lowest
from ramify.errors import RamifyError
from ramify.games.amazons.queen_lines import (
    OCCUPIED,
    TABLES,
    clear,
    longest_rays,
    make_tables,
    rays,
    square_name,
    square_number,
    toggle,
)
from ramify.games.amazons.queens import QUEENS, published_heuristic, random_move, step
from ramify.games.boards import grids

PLAYERS = 2

Rules = np.dtype(
    [
        ("side", np.int64),
        ("plies", np.int64),
        ("most", np.int64),  # the most squares that a queen can reach
        ("home", np.int64, (2 * QUEENS,)),
        *TABLES,
    ]
)
State = np.dtype(
    [
        ("mover", np.int64),
        ("shooter", np.int64),  # the square of the queen that has to shoot, or -1
        ("queens", np.uint8, (2 * QUEENS,)),  # white's, then black's, each in rising order
        OCCUPIED,
    ]
)

PERIOD = 10  # plies of a playout after which it looks again how many arrows there can be
HOMES = {10: "d1 g1 a4 j4", 8: "c1 f1 a3 h3", 6: "b1 e1 a2 f2"}  # white's


def configure(rules, size=10, plies=1):
    if size not in HOMES:
        raise RamifyError(f"amazons is played on a board of size 6, 8 or 10, not {size}")
    if plies not in (1, 2):
        raise RamifyError(f"a move of amazons is 1 or 2 plies, not {plies}")
    rules.side, rules.plies, rules.most = size, plies, 4 * size - 5
    white = [square_number(name) for name in HOMES[size].split()]
    rules.home = sorted(white) + sorted(16 * (size - 1 - square // 16) + square % 16 for square in white)
    make_tables(rules, size)


def max_moves(rules):
    most = int(rules.most)
    return QUEENS * most * most if rules.plies == 1 else QUEENS * most


def start(rules, state):
    state.mover = 0
    state.shooter = -1
    clear(rules, state)
    for k in range(2 * QUEENS):
        state.queens[k] = rules.home[k]
        toggle(state, rules.home[k])


def mover(rules, state):
    return state.mover


def over(rules, state):
    return state.shooter < 0 and mobility(rules, state, state.mover) == 0


def mobility(rules, state, player):
    """How many squares a player's queens reach."""
    count = 0
    for k in range(QUEENS):
        queen = np.int64(state.queens[QUEENS * player + k])
        count += popcount(rays(rules, state, queen, queen))
    return count


# A move: 65536*from + 256*to + arrow; with two plies 65536*from + 256*to and then the arrow.


def legal(rules, state, moves):
    count = 0
    for k in range(QUEENS if state.shooter < 0 else 1):
        queen = np.int64(state.queens[QUEENS * state.mover + k]) if state.shooter < 0 else state.shooter
        targets = rays(rules, state, queen, queen)
        while targets != ZERO:
            to = np.int64(rules.beyond[queen, lowest(targets)])
            targets = without_lowest(targets)
            if rules.plies == 2:
                moves[count] = 65536 * queen + 256 * to if state.shooter < 0 else to
                count += 1
            else:
                arrows = rays(rules, state, to, queen)
                while arrows != ZERO:
                    moves[count] = 65536 * queen + 256 * to + np.int64(rules.beyond[to, lowest(arrows)])
                    arrows = without_lowest(arrows)
                    count += 1
    return count


def move_classes(rules):
    squares = int(rules.side) ** 2
    return squares**3 if rules.plies == 1 else squares**2 + squares


def cell_of(rules, square):
    """The squares of the board numbered without gaps."""
    return (square >> 4) * rules.side + (square & 15)


def move_class(rules, state, move):
    """Queen, target and arrow; of two plies, the arrow comes after all pairs of queen and target."""
    squares = rules.side * rules.side
    if state.shooter >= 0:
        return squares * squares + cell_of(rules, move)
    pair = squares * cell_of(rules, move >> 16) + cell_of(rules, (move >> 8) & 255)
    return pair if rules.plies == 2 else squares * pair + cell_of(rules, move & 255)


def play(rules, state, move):
    if state.shooter < 0:
        state.shooter = (move >> 8) & 255
        step(state, move >> 16, state.shooter)
        if rules.plies == 2:
            return
    toggle(state, move & 255)
    state.shooter = -1
    state.mover = 1 - state.mover


def heuristic(rules, state, rng):
    """As ``published_heuristic``."""
    return published_heuristic(rules, state, rng)


def sample(rules, state, rng):
    return random_move(rules, state, rng, rules.most)


def most_arrows(rules, state):
    """No queen will ever have more arrows to choose from: queens may leave, but arrows stay."""
    for k in range(2 * QUEENS):
        toggle(state, np.int64(state.queens[k]))
    most = longest_rays(rules, state)
    for k in range(2 * QUEENS):
        toggle(state, np.int64(state.queens[k]))
    return most


def playout(rules, state, rng):
    """Uniform play; the draw of a move tells by the way whether there is one.

    That a queen can have fewer and fewer arrows as they fill the board saves draws.
    """
    plies = 0
    most = rules.most
    while True:
        if plies % PERIOD == 0 and rules.plies == 1:
            most = most_arrows(rules, state)
        move = random_move(rules, state, rng, most)
        if move < 0:
            return plies
        play(rules, state, move)
        plies += 1


def scores(rules, state, out):
    out[state.mover] = 0.0
    out[1 - state.mover] = 1.0


def quality(rules, state):
    """How many squares the winner's queens still reach."""
    return (1.0 + mobility(rules, state, 1 - state.mover)) / (2.0 + QUEENS * rules.most)


def evaluate(rules, state, out):
    """Each player's share of the squares that queens reach."""
    first, second = 1.0 + mobility(rules, state, 0), 1.0 + mobility(rules, state, 1)
    out[0] = first / (first + second)
    out[1] = second / (first + second)


def move_name(rules, state, move):
    move = int(move)
    origin, to, arrow = (square_name(square) for square in (move >> 16, move >> 8 & 255, move & 255))
    if state.shooter >= 0:
        return arrow
    return f"{origin}-{to}" if rules.plies == 2 else f"{origin}-{to}/{arrow}"


def write(rules, state):
    side = int(rules.side)
    rows = [["#" if int(state.lines[0, row]) >> column & 1 else "." for column in range(side)] for row in range(side)]
    for k, queen in enumerate(state.queens):
        rows[queen // 16][queen % 16] = "wb"[k // QUEENS]
    text = "/".join("".join(row) for row in reversed(rows)) + " " + "wb"[state.mover]
    return text if state.shooter < 0 else f"{text} {square_name(int(state.shooter))}"


def read(rules, state, text):
    side = int(rules.side)
    words = text.strip().lower().split()
    rows = words[0].split("/")[::-1] if len(words) in (2, 1 + int(rules.plies)) else []
    if not grids.are_rows(rows, [side] * side, "wb#.") or words[1] not in ("w", "b"):
        shooter = ", and the square of a queen that has to shoot" if rules.plies == 2 else ""
        raise RamifyError(
            f"give {side} rows of {side} of w, b, # and . from the top, separated by /, then w or b to move{shooter}"
        )
    found = {mark: [16 * r + c for r in range(side) for c in range(side) if rows[r][c] == mark] for mark in "wb#"}
    if len(found["w"]) != QUEENS or len(found["b"]) != QUEENS:
        raise RamifyError(f"each side has {QUEENS} queens, not {len(found['w'])} and {len(found['b'])}")
    if words[1] != "wb"[len(found["#"]) % 2]:
        raise RamifyError("white moves first and every move leaves an arrow: their number tells who is to move")
    clear(rules, state)
    for squares in found.values():
        for square in squares:
            toggle(state, square)
    state.queens = found["w"] + found["b"]
    state.mover, state.shooter = "wb".index(words[1]), -1
    if len(words) == 3:
        names = {square_name(square): square for square in found[words[1]]}
        if words[2] not in names:
            raise RamifyError(f"there is no queen of the side to move on {words[2]}")
        state.shooter = names[words[2]]
        if rays(rules, state, state.shooter, state.shooter) == ZERO:
            raise RamifyError(f"the queen on {words[2]} has come from nowhere: she is shut in")


def draw(rules, state):
    return grids.numbered(write(rules, state).split()[0])
