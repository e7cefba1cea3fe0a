"""Breakthrough (Dan Troyka 2000) on a board of any shape up to 256 squares: a pawn on the far row wins.

Each side starts with its two home rows full of pawns. A pawn steps one square forward, straight or diagonally, to an
empty square; it captures diagonally only. Whoever reaches the far row, or captures the last enemy pawn, wins. There
are no draws: a side that still has a pawn can always move.

Moves are named by their squares, ``b2b3``; captures too. Position text: the rows from the top, ``w``, ``b`` and ``.``,
separated by ``/``, then a blank and ``w`` or ``b`` for the side to move.
"""

import numpy as np

from ramify.core.bits import ZERO, bit, has, lowest, nth, popcount, without_lowest
from ramify.core.rng import below
from ramify.errors import RamifyError

PLAYERS = 2
WORDS = 4
SQUARES = 64 * WORDS

Rules = np.dtype(
    [
        ("rows", np.int64),
        ("columns", np.int64),
        ("one_word", np.int64),  # whether the board fits one word: the fast way
        ("not_left", np.uint64),  # every square but column a; square = columns*row + column, row 0 is white's home
        ("not_right", np.uint64),  # every square but the last column
        ("far", np.uint64, (2, WORDS)),  # the row each player must reach
    ]
)
# Player 0 is white and moves up. A board of one word uses the first word only.
State = np.dtype([("pawns", np.uint64, (2, WORDS)), ("mover", np.int64)])


def configure(rules, rows=8, columns=8):
    if rows < 3 or columns < 2 or rows * columns > SQUARES:
        raise RamifyError(
            f"breakthrough needs at least 3 rows, 2 columns and at most {SQUARES} squares, not {rows} x {columns}"
        )
    rules.rows, rules.columns, rules.one_word = rows, columns, rows * columns <= 64
    if rules.one_word:
        left = sum(1 << columns * row for row in range(rows))
        board = (1 << rows * columns) - 1
        rules.not_left, rules.not_right = board & ~left, board & ~(left << columns - 1)
    for player, row in enumerate((rows - 1, 0)):
        fill_rows(rules, rules.far[player], [row])


def fill_rows(rules, words, rows):
    """Set every square of the given rows."""
    columns = int(rules.columns)
    squares = sum(((1 << columns) - 1) << columns * row for row in rows)
    for k in range(WORDS):
        words[k] = squares >> 64 * k & (1 << 64) - 1


def max_moves(rules):
    """Two home rows of pawns with three steps each, though fewer can ever have all three."""
    return int(6 * rules.columns)


def start(rules, state):
    rows, columns = rules.rows, rules.columns
    state.mover = 0
    for k in range(WORDS):
        state.pawns[0, k] = ZERO
        state.pawns[1, k] = ZERO
    for square in range(home_rows(rules) * columns):
        put(state, 0, square)
        put(state, 1, rows * columns - 1 - square)


def home_rows(rules):
    """How many rows each side fills at the start."""
    return min(2, rules.rows // 2)


def put(state, player, square):
    state.pawns[player, square >> 6] |= bit(square & 63)


def pawn_at(state, player, square):
    return has(state.pawns[player, square >> 6], square & 63)


def mover(rules, state):
    return state.mover


def far_reached(rules, state, player):
    reached = ZERO
    for k in range(WORDS):
        reached |= state.pawns[player, k] & rules.far[player, k]
    return reached != ZERO


def any_pawn(state, player):
    found = ZERO
    for k in range(WORDS):
        found |= state.pawns[player, k]
    return found != ZERO


def over(rules, state):
    """Only the player who has just moved can have won."""
    mine = state.mover
    theirs = 1 - mine
    if rules.one_word:
        return (state.pawns[theirs, 0] & rules.far[theirs, 0]) != ZERO or state.pawns[mine, 0] == ZERO
    return far_reached(rules, state, theirs) or not any_pawn(state, mine)


def steps(rules, state):
    """The squares that a straight step, a step to the left and a step to the right can reach (one word)."""
    mine = state.pawns[state.mover, 0]
    theirs = state.pawns[1 - state.mover, 0]
    ahead = np.uint64(rules.columns)
    free = ~(mine | theirs)
    left = mine & rules.not_left
    right = mine & rules.not_right
    one = np.uint64(1)
    if state.mover == 0:
        return (mine << ahead) & free, (left << (ahead - one)) & ~mine, (right << (ahead + one)) & ~mine
    return (mine >> ahead) & free, (left >> (ahead + one)) & ~mine, (right >> (ahead - one)) & ~mine


def forward(rules, state):
    """The change of square number in a straight step."""
    return rules.columns if state.mover == 0 else -rules.columns


def put_moves(moves, count, targets, delta):
    while targets != ZERO:
        to = lowest(targets)
        moves[count] = (to - delta) * SQUARES + to
        targets = without_lowest(targets)
        count += 1
    return count


def legal(rules, state, moves):
    if not rules.one_word:
        return legal_wide(rules, state, moves)
    straight, left, right = steps(rules, state)
    delta = forward(rules, state)
    count = put_moves(moves, 0, straight, delta)
    count = put_moves(moves, count, left, delta - 1)
    return put_moves(moves, count, right, delta + 1)


def can_step(rules, state, square, side):
    """Whether the mover's pawn on ``square`` may step forward and to ``side`` (-1, 0 or 1), on a board of any size."""
    column = square % rules.columns + side
    to = square + forward(rules, state) + side
    if column < 0 or column >= rules.columns or to < 0 or to >= rules.rows * rules.columns:
        return False
    return not pawn_at(state, state.mover, to) and (side != 0 or not pawn_at(state, 1 - state.mover, to))


def legal_wide(rules, state, moves):
    count = 0
    for square in range(rules.rows * rules.columns):
        if pawn_at(state, state.mover, square):
            for side in range(-1, 2):
                if can_step(rules, state, square, side):
                    moves[count] = square * SQUARES + square + forward(rules, state) + side
                    count += 1
    return count


def sample_wide(rules, state, rng):
    """One pass that keeps each move with the chance that makes all equal (reservoir sampling)."""
    seen = 0
    move = 0
    for square in range(rules.rows * rules.columns):
        if pawn_at(state, state.mover, square):
            for side in range(-1, 2):
                if can_step(rules, state, square, side):
                    seen += 1
                    if below(rng, seen) == 0:
                        move = square * SQUARES + square + forward(rules, state) + side
    return move


def sample(rules, state, rng):
    if not rules.one_word:
        return sample_wide(rules, state, rng)
    straight, left, right = steps(rules, state)
    delta = forward(rules, state)
    straights, lefts = popcount(straight), popcount(left)
    chosen = below(rng, straights + lefts + popcount(right))
    targets = straight
    if chosen >= straights + lefts:
        chosen -= straights + lefts
        targets = right
        delta += 1
    elif chosen >= straights:
        chosen -= straights
        targets = left
        delta -= 1
    to = nth(targets, chosen)
    return (to - delta) * SQUARES + to


def play(rules, state, move):
    mine = state.mover
    origin, to = move // SQUARES, move % SQUARES
    state.pawns[mine, origin >> 6] &= ~bit(origin & 63)
    state.pawns[mine, to >> 6] |= bit(to & 63)
    state.pawns[1 - mine, to >> 6] &= ~bit(to & 63)
    state.mover = 1 - mine


def scores(rules, state, out):
    winner = 1 - state.mover
    out[winner] = 1.0
    out[1 - winner] = 0.0


def square_name(rules, square):
    return chr(ord("a") + square % int(rules.columns)) + str(square // int(rules.columns) + 1)


def move_name(rules, state, move):
    return square_name(rules, move // SQUARES) + square_name(rules, move % SQUARES)


def write(rules, state):
    rows, columns = int(rules.rows), int(rules.columns)
    marks = [
        "w" if pawn_at(state, 0, square) else "b" if pawn_at(state, 1, square) else "."
        for square in range(rows * columns)
    ]
    lines = ["".join(marks[columns * row : columns * (row + 1)]) for row in reversed(range(rows))]
    return "/".join(lines) + " " + "wb"[state.mover]


def read(rules, state, text):
    rows, columns = int(rules.rows), int(rules.columns)
    board, _, side = text.strip().lower().rpartition(" ")
    lines = board.strip().split("/")
    if (
        side not in ("w", "b")
        or len(lines) != rows
        or any(len(line) != columns or set(line) - set("wb.") for line in lines)
    ):
        raise RamifyError(
            f"give {rows} rows of {columns} of w, b and . from the top, separated by /, then w or b to move"
        )
    most = int(home_rows(rules)) * columns
    if max(board.count("w"), board.count("b")) > most:
        raise RamifyError(f"each side starts with {most} pawns, so it cannot have more")
    start(rules, state)
    state.pawns[:] = 0
    for square, mark in enumerate("".join(reversed(lines))):
        if mark != ".":
            put(state, "wb".index(mark), square)
    state.mover = "wb".index(side)
    if far_reached(rules, state, state.mover) or not any_pawn(state, 1 - state.mover):
        raise RamifyError("the side to move has already won, which cannot happen")


def draw(rules, state):
    lines = write(rules, state).split()[0].split("/")
    numbered = [f"{len(lines) - k:2} " + " ".join(line) for k, line in enumerate(lines)]
    letters = " ".join(chr(ord("a") + k) for k in range(int(rules.columns)))
    return "\n".join([*numbered, "   " + letters])
