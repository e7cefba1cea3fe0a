"""Breakthrough (Dan Troyka 2000) on a board of any shape up to 256 squares: a pawn on the far row wins.

Each player starts with two home rows full of pawns (one row each on boards of three rows). A pawn steps one square
forward, straight or diagonally, to an empty square; it captures diagonally only. A player wins by reaching the far row
or by capturing the last enemy pawn. There are no draws: a player with a pawn left can always move.

Playouts are uniform; ``heuristic`` plays decisive moves first, ``published_heuristic`` is that of Pepels et al. (2014).

Moves, including captures, are named by their squares: ``b2b3``. Position text: the rows from the top, ``w``, ``b`` and
``.``, separated by ``/``, then a space and ``w`` or ``b`` to move.
"""

import numpy as np

from ramify.core.numbers.bits import ONE, ZERO, bit, lowest, popcount, without_lowest
from ramify.errors import RamifyError
from ramify.games.boards import grids
from ramify.games.breakthrough.array_board import (
    SQUARES,
    heuristic_wide,
    legal_wide,
    pawns_wide,
    play_wide,
    sample_wide,
    winning_wide,
)
from ramify.games.breakthrough.bitboard import decisive, draw_move, draw_step, forward, steps
from ramify.games.breakthrough.published_playouts import list_wide, list_word, published_wide, published_word

PLAYERS = 2

Rules = np.dtype(
    [
        ("rows", np.int64),
        ("columns", np.int64),
        ("one_word", np.int64),  # whether the board fits one word (bitboard), which is faster
        ("not_left", np.uint64),  # all squares except column a; square = columns*row + column, row 0 is white's home
        ("not_right", np.uint64),  # all squares except the last column
        ("far", np.uint64, (2,)),  # target row of each player
    ]
)
State = np.dtype(
    [
        ("mover", np.int64),  # player 0 is white and moves up
        ("mine", np.uint64),  # bitboard: pawns of the player to move
        ("theirs", np.uint64),
        ("won", np.int64),  # array board: whether the last move has won
        ("cells", np.int8, (SQUARES,)),  # array board: 0 empty, 1 white, 2 black
    ]
)


def configure(rules, rows=8, columns=8):
    if rows < 3 or columns < 2 or rows * columns > SQUARES:
        raise RamifyError(
            f"invalid board of {rows} x {columns} for breakthrough: use at least 3 rows, 2 columns and at most"
            f" {SQUARES} squares"
        )
    rules.rows, rules.columns, rules.one_word = rows, columns, rows * columns <= 64
    if rules.one_word:
        row = (1 << columns) - 1
        left = sum(1 << columns * k for k in range(rows))
        board = (1 << rows * columns) - 1
        rules.not_left, rules.not_right = board & ~left, board & ~(left << columns - 1)
        rules.far[0], rules.far[1] = row << columns * (rows - 1), row


def max_moves(rules):
    """Upper bound: two home rows of pawns with three steps each."""
    return int(6 * rules.columns)


def start(rules, state):
    state.mover = 0
    state.mine = ZERO
    state.theirs = ZERO
    state.won = 0
    squares = rules.rows * rules.columns
    for square in range(SQUARES):
        state.cells[square] = 0
    for square in range(min(2, rules.rows // 2) * rules.columns):
        if rules.one_word:
            state.mine |= bit(square)
            state.theirs |= bit(squares - 1 - square)
        else:
            state.cells[square] = 1
            state.cells[squares - 1 - square] = 2


def mover(rules, state):
    return state.mover


def over(rules, state):
    """Only the player who moved last can have won."""
    if rules.one_word:
        return (state.theirs & rules.far[1 - state.mover]) != ZERO or state.mine == ZERO
    return state.won != 0


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
    straight, left, right = steps(rules, state.mine, state.theirs, state.mover)
    delta = forward(rules, state)
    count = put_moves(moves, 0, straight, delta)
    count = put_moves(moves, count, left, delta - 1)
    return put_moves(moves, count, right, delta + 1)


def sample(rules, state, rng):
    if not rules.one_word:
        return sample_wide(rules, state, rng)
    straight, left, right = steps(rules, state.mine, state.theirs, state.mover)
    return draw_move(rules, state, rng, straight, left, right)


def heuristic(rules, state, rng):
    """Decisive moves first: reach the far row, else capture a pawn about to do so, else a uniform move."""
    if not rules.one_word:
        return heuristic_wide(rules, state, rng)
    straight, left, right = steps(rules, state.mine, state.theirs, state.mover)
    goals = decisive(rules, state, straight, left, right)
    return draw_move(rules, state, rng, straight & goals, left & goals, right & goals)


def published_heuristic(rules, state, rng):
    """Playout move of Pepels et al. (2014): decisive moves first, else by the weights of ``published_playouts``."""
    return published_wide(rules, state, rng) if not rules.one_word else published_word(rules, state, rng)


def published_moves(rules, state, rng, moves, weights):
    """List the moves that ``published_heuristic`` draws from, with their weights."""
    return list_wide(rules, state, moves, weights) if not rules.one_word else list_word(rules, state, moves, weights)


def winning_move(rules, state):
    """Return a move that reaches the far row or captures the last enemy pawn, or -1."""
    if not rules.one_word:
        return winning_wide(rules, state)
    straight, left, right = steps(rules, state.mine, state.theirs, state.mover)
    goals = rules.far[state.mover] | (state.theirs if without_lowest(state.theirs) == ZERO else ZERO)
    side = 0
    targets = straight & goals
    if targets == ZERO:
        side = -1
        targets = left & goals
    if targets == ZERO:
        side = 1
        targets = right & goals
    if targets == ZERO:
        return -1
    to = lowest(targets)
    return (to - forward(rules, state) - side) * SQUARES + to


def playout(rules, state, rng):
    """Uniform playout; on a bitboard in local variables, which takes a third less time."""
    plies = 0
    if not rules.one_word:
        while not over(rules, state):
            play(rules, state, sample_wide(rules, state, rng))
            plies += 1
        return plies
    ahead = np.uint64(rules.columns)
    mine, theirs, player = state.mine, state.theirs, state.mover
    while (theirs & rules.far[1 - player]) == ZERO and mine != ZERO:
        straight, left, right = steps(rules, mine, theirs, player)
        straight, left, right = draw_step(rng, straight, left, right)
        to = straight | left | right
        if player == 0:
            origin = (straight >> ahead) | (left >> (ahead - ONE)) | (right >> (ahead + ONE))
        else:
            origin = (straight << ahead) | (left << (ahead + ONE)) | (right << (ahead - ONE))
        mine, theirs = theirs & ~to, (mine ^ origin) | to
        player = 1 - player
        plies += 1
    state.mine, state.theirs, state.mover = mine, theirs, player
    return plies


def move_classes(rules):
    return int(3 * rules.rows * rules.columns)


def move_class(rules, state, move):
    """Classes: the pawn's square and whether it steps left, straight or right."""
    origin, to = move // SQUARES, move % SQUARES
    return 3 * origin + to - origin - forward(rules, state) + 1


def play(rules, state, move):
    origin, to = move // SQUARES, move % SQUARES
    if rules.one_word:
        moved = (state.mine & ~bit(origin)) | bit(to)
        state.mine = state.theirs & ~bit(to)
        state.theirs = moved
    else:
        play_wide(rules, state, origin, to)
    state.mover = 1 - state.mover


def scores(rules, state, out):
    winner = 1 - state.mover
    out[winner] = 1.0
    out[1 - winner] = 0.0


def quality(rules, state):
    """Increases with the winner's lead in pawns, which is at most two rows."""
    if rules.one_word:
        lead = popcount(state.theirs) - popcount(state.mine)
    else:
        lead = pawns_wide(rules, state, 1 - state.mover) - pawns_wide(rules, state, state.mover)
    return 0.5 + lead / (4.0 * rules.columns + 2.0)


def strength(rules, state, player):
    """Sum over pawns: the number of rows plus the steps the pawn has advanced."""
    total = 0
    for square in range(rules.rows * rules.columns):
        if rules.one_word:
            has_pawn = (state.mine if player == state.mover else state.theirs) & bit(square) != ZERO
        else:
            has_pawn = state.cells[square] == 1 + player
        if has_pawn:
            row = square // rules.columns
            total += rules.rows + (row if player == 0 else rules.rows - 1 - row)
    return total


def evaluate(rules, state, out):
    """Each player's share of the total ``strength``."""
    first, second = strength(rules, state, 0), strength(rules, state, 1)
    out[0] = first / (first + second)
    out[1] = second / (first + second)


def marks(rules, state):
    """Return one character per square."""
    squares = range(int(rules.rows * rules.columns))
    if not rules.one_word:
        return "".join(".wb"[state.cells[square]] for square in squares)
    return grids.marks_of(state.mover, state.mine, state.theirs, squares, ".wb")


def move_name(rules, state, move):
    columns = int(rules.columns)
    return grids.cell_name(columns, move // SQUARES) + grids.cell_name(columns, move % SQUARES)


def write(rules, state):
    lines = grids.rows_of(int(rules.columns), marks(rules, state))
    return "/".join(reversed(lines)) + " " + "wb"[state.mover]


def read(rules, state, text):
    rows, columns = int(rules.rows), int(rules.columns)
    expected = f"{rows} rows of {columns} squares (w, b, .) from the top, separated by /, then w or b to move"
    lines, side = grids.read_rows_and_mover(text, [columns] * rows, "wb", expected)
    squares = "".join(reversed(lines))
    if "w" in squares[-columns:] and "b" in squares[:columns]:
        raise RamifyError("both players have reached the far row")
    other = "b" if side == "w" else "w"
    if side in (squares[-columns:] if side == "w" else squares[:columns]) or other not in squares:
        raise RamifyError("the player to move has already won")
    pawns = min(2, rows // 2) * columns
    if max(squares.count("w"), squares.count("b")) > pawns:
        raise RamifyError(f"expected at most {pawns} pawns per player")
    if (squares[-columns:] if other == "w" else squares[:columns]).count(other) > 1:
        raise RamifyError("two pawns on the far row: the first one ended the game")
    if squares.count("w") == squares.count("b") == pawns:  # no captures: every move has advanced one row
        start_rows = sum(k // columns for k in range(pawns))
        white = sum(k // columns for k, mark in enumerate(squares) if mark == "w") - start_rows
        black = sum(rows - 1 - k // columns for k, mark in enumerate(squares) if mark == "b") - start_rows
        if abs(white - black) > 1 or white - black == (1 if side == "w" else -1):
            raise RamifyError(
                f"without captures, {white} steps of white and {black} of black cannot leave {side} to move"
            )
    state.mover = "wb".index(side)
    state.mine = state.theirs = state.won = 0
    state.cells[:] = 0
    if rules.one_word:
        state.mine, state.theirs = grids.set_of(squares, side), grids.set_of(squares, other)
    else:
        for square, mark in enumerate(squares):
            state.cells[square] = ".wb".index(mark)
        far = squares[:columns] if other == "b" else squares[-columns:]
        state.won = other in far or side not in squares


def draw(rules, state):
    return grids.with_coordinates(write(rules, state).split()[0])
