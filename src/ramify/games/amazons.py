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

from ramify.core.bits import ZERO, lowest, nth, popcount, without_lowest
from ramify.core.rng import below
from ramify.errors import RamifyError

PLAYERS = 2
MOST = 10
QUEENS = 4

# A square is 16*row + column, row 0 white's. Four kinds of lines: rows, columns, diagonals of constant row - column,
# diagonals of constant row + column. The squares of a column are told by their row, those of other lines by their
# column, so a line is a word of ten bits; what lies outside the board counts as occupied.
Rules = np.dtype(
    [
        ("side", np.int64),
        ("plies", np.int64),
        ("most", np.int64),  # the most squares that a queen can reach
        ("home", np.int64, (2 * QUEENS,)),
        ("outside", np.uint16, (4, 2 * MOST)),  # the lines of an empty board
        ("reach", np.uint16, (MOST, 1 << MOST)),  # what a queen at a place of a line reaches, by what is occupied
    ]
)
State = np.dtype(
    [
        ("mover", np.int64),
        ("shooter", np.int64),  # the square of the queen that has to shoot, or -1
        ("queens", np.int16, (2 * QUEENS,)),  # white's, then black's, each in rising order
        ("lines", np.uint16, (4, 2 * MOST)),  # what is occupied
    ]
)

FEW = 12  # targets of all queens, up to which counting their arrows is quicker than drawing again and again
MANY = 1 << 20  # more than there are moves

HOMES = {10: "d1 g1 a4 j4", 8: "c1 f1 a3 h3", 6: "b1 e1 a2 f2"}  # white's


def configure(rules, size=10, plies=1):
    if size not in HOMES:
        raise RamifyError(f"amazons is played on a board of size 6, 8 or 10, not {size}")
    if plies not in (1, 2):
        raise RamifyError(f"a move of amazons is 1 or 2 plies, not {plies}")
    rules.side, rules.plies, rules.most = size, plies, 4 * size - 5
    white = [square_number(name) for name in HOMES[size].split()]
    rules.home = sorted(white) + sorted(16 * (size - 1 - square // 16) + square % 16 for square in white)
    rules.outside = (1 << MOST) - 1
    for row in range(size):
        for column in range(size):
            for kind in range(4):
                place = row if kind == 1 else column
                rules.outside[kind, line_of(kind, row, column)] &= ~(1 << place) & 0x3FF
    occupied = np.arange(1 << MOST)
    for place in range(MOST):
        reached = np.zeros(1 << MOST, np.uint16)
        for step in (-1, 1):
            free = np.ones(1 << MOST, bool)
            at = place + step
            while 0 <= at < MOST:
                free &= occupied >> at & 1 == 0
                reached |= (free.astype(np.uint16) << at).astype(np.uint16)
                at += step
        rules.reach[place] = reached


def max_moves(rules):
    most = int(rules.most)
    return QUEENS * most * most if rules.plies == 1 else QUEENS * most


def line_of(kind, row, column):
    """The number of a square's line among those of one kind."""
    down = np.int64(kind == 2)
    return row * np.int64(kind != 1) + column * (np.int64(kind & 1) - down) * np.int64(kind != 0) + (MOST - 1) * down


def start(rules, state):
    state.mover = 0
    state.shooter = -1
    for kind in range(4):
        for line in range(2 * MOST):
            state.lines[kind, line] = rules.outside[kind, line]
    for k in range(2 * QUEENS):
        state.queens[k] = rules.home[k]
        turn_over(state, rules.home[k])


def turn_over(state, square):
    """Occupy an empty square, empty an occupied one."""
    row, column = square >> 4, square & 15
    state.lines[0, row] ^= 1 << column
    state.lines[1, column] ^= 1 << row
    state.lines[2, row - column + MOST - 1] ^= 1 << column
    state.lines[3, row + column] ^= 1 << column


def reached(rules, state, square, kind, left):
    """The squares of one line that a queen reaches from ``square``, where the square ``left`` counts as empty."""
    row, column = square >> 4, square & 15
    line = line_of(kind, row, column)
    occupied = np.int64(state.lines[kind, line])
    if line_of(kind, left >> 4, left & 15) == line:
        occupied &= ~(1 << (left >> 4 if kind == 1 else left & 15))
    return np.uint64(rules.reach[row if kind == 1 else column, occupied])


def at_place(square, kind, place):
    """The square of a place on the line of a kind through ``square``."""
    row, column = square >> 4, square & 15
    slope = np.int64(kind == 2) - np.int64(kind == 3)
    return 16 * place + column if kind == 1 else 16 * (row + slope * (place - column)) + place


def mover(rules, state):
    return state.mover


def over(rules, state):
    if state.shooter >= 0:
        return False
    for k in range(QUEENS):
        queen = np.int64(state.queens[QUEENS * state.mover + k])
        for kind in range(4):
            if reached(rules, state, queen, kind, queen) != ZERO:
                return False
    return True


def put(rules, state, square, left, base, moves, count):
    """Write ``base`` plus each square that a queen reaches from ``square``."""
    for kind in range(4):
        targets = reached(rules, state, square, kind, left)
        while targets != ZERO:
            moves[count] = base + at_place(square, kind, lowest(targets))
            targets = without_lowest(targets)
            count += 1
    return count


# A move: 65536*from + 256*to + arrow, with two plies 256*from + to and then the arrow alone.


def legal(rules, state, moves):
    if state.shooter >= 0:
        return put(rules, state, state.shooter, state.shooter, 0, moves, 0)
    count = 0
    for k in range(QUEENS):
        queen = np.int64(state.queens[QUEENS * state.mover + k])
        for kind in range(4):
            targets = reached(rules, state, queen, kind, queen)
            while targets != ZERO:
                to = at_place(queen, kind, lowest(targets))
                if rules.plies == 1:
                    count = put(rules, state, to, queen, 65536 * queen + 256 * to, moves, count)
                else:
                    moves[count] = 256 * queen + to
                    count += 1
                targets = without_lowest(targets)
    return count


def play(rules, state, move):
    if state.shooter >= 0:
        shoot(state, move)
    elif rules.plies == 1:
        step(state, move >> 16, (move >> 8) & 255)
        shoot(state, move & 255)
    else:
        step(state, move >> 8, move & 255)
        state.shooter = move & 255


def step(state, origin, to):
    """Move a queen of the mover, whose queens stay in rising order."""
    turn_over(state, origin)
    turn_over(state, to)
    first = QUEENS * state.mover
    k = first
    while state.queens[k] != origin:
        k += 1
    while k + 1 < first + QUEENS and state.queens[k + 1] < to:
        state.queens[k] = state.queens[k + 1]
        k += 1
    while k > first and state.queens[k - 1] > to:
        state.queens[k] = state.queens[k - 1]
        k -= 1
    state.queens[k] = to


def shoot(state, square):
    turn_over(state, square)
    state.shooter = -1
    state.mover = 1 - state.mover


def queen_moves(rules, state, player):
    """How many squares each of a player's queens reaches, in four fields of 8 bits."""
    counts = 0
    for k in range(QUEENS):
        queen = np.int64(state.queens[QUEENS * player + k])
        for kind in range(4):
            counts += popcount(reached(rules, state, queen, kind, queen)) << (8 * k)
    return counts


def sum_of(counts):
    return (counts & 255) + ((counts >> 8) & 255) + ((counts >> 16) & 255) + (counts >> 24)


def nth_reached(rules, state, square, left, n):
    """The n-th square that a queen reaches from ``square``; -1 if there are not so many."""
    for kind in range(4):
        targets = reached(rules, state, square, kind, left)
        here = popcount(targets)
        if n < here:
            return at_place(square, kind, nth(targets, n))
        n -= here
    return -1


def arrows(rules, state, to, left):
    """How many squares a queen reaches from ``to`` when she has left ``left``."""
    count = 0
    for kind in range(4):
        count += popcount(reached(rules, state, to, kind, left))
    return count


def nth_move(rules, state, n):
    """The n-th move of queen and arrow; if there are not so many, -1 less their number."""
    count = 0
    for k in range(QUEENS):
        queen = np.int64(state.queens[QUEENS * state.mover + k])
        for kind in range(4):
            targets = reached(rules, state, queen, kind, queen)
            while targets != ZERO:
                to = at_place(queen, kind, lowest(targets))
                here = arrows(rules, state, to, queen)
                if n < count + here:
                    return 65536 * queen + 256 * to + nth_reached(rules, state, to, queen, n - count)
                count += here
                targets = without_lowest(targets)
    return -1 - count


def any_move(rules, state, rng):
    """A move, all equally likely, or -1 if there is none.

    Where the queens have many targets, one is drawn, all equally likely, then a number below the most arrows that there
    can be: if she has fewer arrows there, all is drawn anew. So each target comes as often as it has arrows. Where they
    have few, that would take many draws, and the moves are counted.
    """
    if state.shooter >= 0:
        n = below(rng, arrows(rules, state, state.shooter, state.shooter))
        return nth_reached(rules, state, state.shooter, state.shooter, n)
    counts = queen_moves(rules, state, state.mover)
    total = sum_of(counts)
    if total <= FEW and rules.plies == 1:
        if total == 0:
            return -1
        n = below(rng, -1 - nth_move(rules, state, MANY))
        return nth_move(rules, state, n)
    while total > 0:
        n = below(rng, total)
        k = 0
        while n >= ((counts >> (8 * k)) & 255):
            n -= (counts >> (8 * k)) & 255
            k += 1
        queen = np.int64(state.queens[QUEENS * state.mover + k])
        to = nth_reached(rules, state, queen, queen, n)
        if rules.plies == 2:
            return 256 * queen + to
        arrow = nth_reached(rules, state, to, queen, below(rng, rules.most))
        if arrow >= 0:
            return 65536 * queen + 256 * to + arrow
    return -1


def sample(rules, state, rng):
    return any_move(rules, state, rng)


def playout(rules, state, rng):
    """Uniform play; the draw of a move tells by the way whether there is one."""
    plies = 0
    while True:
        move = any_move(rules, state, rng)
        if move < 0:
            return plies
        play(rules, state, move)
        plies += 1


def scores(rules, state, out):
    out[state.mover] = 0.0
    out[1 - state.mover] = 1.0


def quality(rules, state):
    """How many squares the winner's queens still reach."""
    return (1.0 + sum_of(queen_moves(rules, state, 1 - state.mover))) / (2.0 + QUEENS * rules.most)


def square_name(square):
    return "abcdefghij"[square % 16] + str(square // 16 + 1)


def square_number(name):
    return 16 * (int(name[1:]) - 1) + "abcdefghij".index(name[0])


def move_name(rules, state, move):
    move = int(move)
    if state.shooter >= 0:
        return square_name(move)
    if rules.plies == 2:
        return f"{square_name(move >> 8)}-{square_name(move & 255)}"
    return f"{square_name(move >> 16)}-{square_name(move >> 8 & 255)}/{square_name(move & 255)}"


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
    if (
        len(rows) != side
        or any(len(row) != side or set(row) - set("wb#.") for row in rows)
        or words[1] not in ("w", "b")
    ):
        shooter = ", and the square of a queen that has to shoot" if rules.plies == 2 else ""
        raise RamifyError(
            f"give {side} rows of {side} of w, b, # and . from the top, separated by /, then w or b to move{shooter}"
        )
    found = {mark: [16 * r + c for r in range(side) for c in range(side) if rows[r][c] == mark] for mark in "wb#"}
    if len(found["w"]) != QUEENS or len(found["b"]) != QUEENS:
        raise RamifyError(f"each side has {QUEENS} queens, not {len(found['w'])} and {len(found['b'])}")
    if words[1] != "wb"[len(found["#"]) % 2]:
        raise RamifyError("white moves first and every move leaves an arrow: their number tells who is to move")
    for kind in range(4):
        state.lines[kind] = rules.outside[kind]
    for squares in found.values():
        for square in squares:
            turn_over(state, square)
    state.queens = found["w"] + found["b"]
    state.mover, state.shooter = "wb".index(words[1]), -1
    if len(words) == 3:
        names = {square_name(square): square for square in found[words[1]]}
        if words[2] not in names:
            raise RamifyError(f"there is no queen of the side to move on {words[2]}")
        state.shooter = names[words[2]]
        if nth_reached(rules, state, state.shooter, state.shooter, 0) < 0:
            raise RamifyError(f"the queen on {words[2]} has come from nowhere: she is shut in")


def draw(rules, state):
    rows = write(rules, state).split()[0].split("/")
    lines = [f"{len(rows) - k:2} " + " ".join(row) for k, row in enumerate(rows)]
    return "\n".join([*lines, "   " + " ".join("abcdefghij"[: len(rows)])])
