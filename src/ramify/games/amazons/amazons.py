"""Amazons (Walter Zamkauskas 1988) on 10x10, 8x8 or 6x6: move a queen, shoot an arrow; the last player to move wins.

Each player has four queens. A move takes one of them along a row, column or diagonal over empty squares. From there she
shoots an arrow in the same way; the arrow's square stays blocked. There are no captures. A player who cannot move
loses, and every game ends because every move blocks a square. Player 0 is white, ``w``. With ``plies=1`` (default)
queen and arrow are one move; with ``plies=2`` they are two moves in a row by the same player. The starting positions
are those of OpenSpiel's ``amazons``, which splits a move into three plies: queen, target, arrow.

Playouts are uniform; ``heuristic`` and ``published_heuristic`` are those of Pepels et al. (2014), see ``queens``.

Moves are named ``d1-d7/g7`` (queen from, to, arrow); with ``plies=2`` ``d1-d7`` and then ``g7``. Position text: the
rows from the top, ``w``, ``b``, ``#`` (arrow) and ``.``, separated by ``/``, then ``w`` or ``b`` to move and, between
two plies, the square of the queen that has to shoot.
"""

import numpy as np

from ramify.core.numbers.bits import ZERO, lowest, popcount, without_lowest
from ramify.errors import RamifyError
from ramify.games.amazons.queen_lines import (
    OCCUPIED,
    TABLES,
    clear,
    make_tables,
    max_reach,
    rays,
    square_name,
    square_number,
    toggle,
)
from ramify.games.amazons.queens import QUEENS, published_heuristic, published_moves, random_move, step  # noqa: F401
from ramify.games.boards import grids

PLAYERS = 2

Rules = np.dtype(
    [
        ("side", np.int64),
        ("plies", np.int64),
        ("max_targets", np.int64),  # upper bound on the squares that a queen reaches
        ("home", np.int64, (2 * QUEENS,)),
        *TABLES,
    ]
)
State = np.dtype(
    [
        ("mover", np.int64),
        ("shooter", np.int64),  # square of the queen that has to shoot, or -1
        ("queens", np.uint8, (2 * QUEENS,)),  # white's, then black's, each ascending
        OCCUPIED,
    ]
)

PERIOD = 10  # a playout updates its bound on arrows every 10 plies
HOMES = {10: "d1 g1 a4 j4", 8: "c1 f1 a3 h3", 6: "b1 e1 a2 f2"}  # white's squares


def configure(rules, size=10, plies=1):
    if size not in HOMES:
        raise RamifyError(f"invalid size={size} for amazons: use 6, 8 or 10")
    if plies not in (1, 2):
        raise RamifyError(f"invalid plies={plies} for amazons: use 1 or 2")
    rules.side, rules.plies, rules.max_targets = size, plies, 4 * size - 5
    white = [square_number(name) for name in HOMES[size].split()]
    rules.home = sorted(white) + sorted(16 * (size - 1 - square // 16) + square % 16 for square in white)
    make_tables(rules, size)


def max_moves(rules):
    targets = int(rules.max_targets)
    return QUEENS * targets * targets if rules.plies == 1 else QUEENS * targets


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
    """Return the number of squares that a player's queens reach."""
    count = 0
    for k in range(QUEENS):
        queen = np.int64(state.queens[QUEENS * player + k])
        count += popcount(rays(rules, state, queen, queen))
    return count


# A move is 65536*from + 256*to + arrow; with plies=2 it is 65536*from + 256*to, then arrow.


def legal(rules, state, moves):
    count = 0
    for k in range(QUEENS if state.shooter < 0 else 1):
        queen = np.int64(state.queens[QUEENS * state.mover + k]) if state.shooter < 0 else state.shooter
        targets = rays(rules, state, queen, queen)
        while targets != ZERO:
            to = np.int64(rules.square_at[queen, lowest(targets)])
            targets = without_lowest(targets)
            if rules.plies == 2:
                moves[count] = 65536 * queen + 256 * to if state.shooter < 0 else to
                count += 1
            else:
                arrows = rays(rules, state, to, queen)
                while arrows != ZERO:
                    moves[count] = 65536 * queen + 256 * to + np.int64(rules.square_at[to, lowest(arrows)])
                    arrows = without_lowest(arrows)
                    count += 1
    return count


def move_classes(rules):
    squares = int(rules.side) ** 2
    return squares**3 if rules.plies == 1 else squares**2 + squares


def cell_of(rules, square):
    """Return the number of a square, counted without gaps."""
    return (square >> 4) * rules.side + (square & 15)


def move_class(rules, state, move):
    """Classes: (queen, target, arrow). With plies=2: all pairs (queen, target), then all arrows."""
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
    """Same as ``published_heuristic``."""
    return published_heuristic(rules, state, rng)


def sample(rules, state, rng):
    return random_move(rules, state, rng, rules.max_targets)


def max_arrows(rules, state):
    """Return an upper bound on any queen's arrows for the rest of the game: queens may leave, but arrows stay."""
    for k in range(2 * QUEENS):
        toggle(state, np.int64(state.queens[k]))
    bound = max_reach(rules, state)
    for k in range(2 * QUEENS):
        toggle(state, np.int64(state.queens[k]))
    return bound


def playout(rules, state, rng):
    """Uniform playout. ``random_move`` returns -1 if no move is legal, so ``over`` is not called.

    The bound on arrows falls as they fill the board, so fewer draws are rejected.
    """
    plies = 0
    bound = rules.max_targets
    while True:
        if plies % PERIOD == 0 and rules.plies == 1:
            bound = max_arrows(rules, state)
        move = random_move(rules, state, rng, bound)
        if move < 0:
            return plies
        play(rules, state, move)
        plies += 1


def scores(rules, state, out):
    out[state.mover] = 0.0
    out[1 - state.mover] = 1.0


def quality(rules, state):
    """Increases with the number of squares that the winner's queens still reach."""
    return (1.0 + mobility(rules, state, 1 - state.mover)) / (2.0 + QUEENS * rules.max_targets)


def evaluate(rules, state, out):
    """Each player's share of the mobility (squares that the queens reach)."""
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
        shooter = " and optionally the square of the queen that has to shoot" if rules.plies == 2 else ""
        raise RamifyError(
            f"expected {side} rows of {side} squares (w, b, #, .) from the top, separated by /, then w or b{shooter}"
        )
    found = {mark: [16 * r + c for r in range(side) for c in range(side) if rows[r][c] == mark] for mark in "wb#"}
    if len(found["w"]) != QUEENS or len(found["b"]) != QUEENS:
        raise RamifyError(f"expected {QUEENS} queens each, not {len(found['w'])} and {len(found['b'])}")
    if words[1] != "wb"[len(found["#"]) % 2]:
        raise RamifyError(f"after {len(found['#'])} arrows it is {'wb'[len(found['#']) % 2]} to move, not {words[1]}")
    clear(rules, state)
    for squares in found.values():
        for square in squares:
            toggle(state, square)
    state.queens = found["w"] + found["b"]
    state.mover, state.shooter = "wb".index(words[1]), -1
    if len(words) == 3:
        names = {square_name(square): square for square in found[words[1]]}
        if words[2] not in names:
            raise RamifyError(f"{words[1]} has no queen on {words[2]}")
        state.shooter = names[words[2]]
        if rays(rules, state, state.shooter, state.shooter) == ZERO:
            raise RamifyError(f"the queen on {words[2]} is enclosed, so she cannot just have moved")


def draw(rules, state):
    return grids.with_coordinates(write(rules, state).split()[0])
