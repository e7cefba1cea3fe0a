"""Connect 4 on 7 columns of 6 squares: four stones in a row, in any of four directions, win.

Players take turns dropping a stone into a column, x first. A full board without a row of four is a draw. Playouts are
uniform.

Moves are named by column, 1 to 7. Position text: the rows from the top, ``x``, ``o`` and ``.``, separated by ``/``. The
number of stones determines the player to move.
"""

import numpy as np

from ramify.core.numbers.bits import ZERO, lowest, nth_bit, popcount, without_lowest
from ramify.core.numbers.rng import below
from ramify.errors import RamifyError
from ramify.games.boards import grids
from ramify.games.boards.cell_words import random_member

PLAYERS = 2
MAX_MOVES = 7
MOVE_CLASSES = 7  # columns

# Bit 7*column + row; the seventh bit of each column is always 0, so lines never wrap (J. Tromp's layout).
#   5 12 19 26 33 40 47
#   ...
#   0  7 14 21 28 35 42
State = np.dtype([("mine", np.uint64), ("theirs", np.uint64)])  # mine: stones of the player to move

BOTTOM = np.uint64(sum(1 << 7 * column for column in range(7)))
BOARD = np.uint64(sum(0b111111 << 7 * column for column in range(7)))
_1, _2, _6, _7, _8, _12, _14, _16 = (np.uint64(k) for k in (1, 2, 6, 7, 8, 12, 14, 16))


def start(rules, state):
    state.mine = ZERO
    state.theirs = ZERO


def mover(rules, state):
    return popcount(state.mine | state.theirs) & 1


def won(stones):
    pairs = stones & (stones >> _1)
    lines = pairs & (pairs >> _2)
    pairs = stones & (stones >> _7)
    lines |= pairs & (pairs >> _14)
    pairs = stones & (stones >> _6)
    lines |= pairs & (pairs >> _12)
    pairs = stones & (stones >> _8)
    lines |= pairs & (pairs >> _16)
    return lines != ZERO


def over(rules, state):
    return won(state.theirs) or (state.mine | state.theirs) == BOARD


def landing(mine, theirs):
    """Return the lowest empty square of each column that has one."""
    stones = mine | theirs
    return (stones + BOTTOM) & BOARD & ~stones


def legal(rules, state, moves):
    squares = landing(state.mine, state.theirs)
    count = 0
    while squares != ZERO:
        moves[count] = lowest(squares) // 7
        squares = without_lowest(squares)
        count += 1
    return count


def sample(rules, state, rng):
    return random_member(landing(state.mine, state.theirs), rng) // 7


def fourth(stones, step):
    """Return the squares that would complete four in a row in one direction."""
    below, above = (stones << step) & (stones << (step + step)), (stones >> step) & (stones >> (step + step))
    return (
        (below & (stones << (step + step + step)))
        | (below & (stones >> step))
        | (above & (stones << step))
        | (above & (stones >> (step + step + step)))
    )


def winning_move(rules, state):
    mine = state.mine
    squares = fourth(mine, _1) | fourth(mine, _6) | fourth(mine, _7) | fourth(mine, _8)
    squares &= landing(mine, state.theirs)
    return lowest(squares) // 7 if squares != ZERO else -1


def play(rules, state, move):
    column = np.uint64(0b111111) << np.uint64(7 * move)
    stones = state.mine | (landing(state.mine, state.theirs) & column)
    state.mine = state.theirs
    state.theirs = stones


def playout(rules, state, rng):
    """Uniform playout in local variables, which takes a third less time."""
    mine, theirs = state.mine, state.theirs
    plies = 0
    while not won(theirs) and (mine | theirs) != BOARD:
        squares = landing(mine, theirs)
        mine, theirs = theirs, mine | nth_bit(squares, below(rng, popcount(squares)))
        plies += 1
    state.mine, state.theirs = mine, theirs
    return plies


def scores(rules, state, out):
    out[0] = out[1] = 0.5
    if won(state.theirs):
        loser = mover(rules, state)
        out[loser] = 0.0
        out[1 - loser] = 1.0


def move_name(rules, state, move):
    return str(move + 1)


def write(rules, state):
    squares = [7 * column + row for row in reversed(range(6)) for column in range(7)]
    return "/".join(grids.rows_of(7, grids.marks_of(mover(rules, state), state.mine, state.theirs, squares)))


def read(rules, state, text):
    rows = text.strip().lower().split("/")
    if not grids.are_rows(rows, [7] * 6, "xo."):
        raise RamifyError("expected 6 rows of 7 squares (x, o, .) from the top, separated by /")
    x = o = 0
    for column in range(7):
        marks = [row[column] for row in reversed(rows)]
        if "".join(marks).rstrip(".").count("."):
            raise RamifyError(f"a stone in column {column + 1} has an empty square below it")
        for row, mark in enumerate(marks):
            x |= (mark == "x") << 7 * column + row
            o |= (mark == "o") << 7 * column + row
    mine, theirs = (x, o) if grids.turn_after(x.bit_count(), o.bit_count()) == 0 else (o, x)
    if won(np.uint64(mine)):
        raise RamifyError("the player to move has already won")
    columns = ["".join(row[column] for row in reversed(rows)).rstrip(".") for column in range(7)]
    if won(np.uint64(theirs)):
        last = "xo"[x.bit_count() == o.bit_count()]
        tops = [(k, 7 * k + len(column) - 1) for k, column in enumerate(columns) if column.endswith(last)]
        before = [k for k, top in tops if not won(np.uint64(theirs & ~(1 << top)))]
        if not before:
            raise RamifyError("no single move can have completed all of these rows")
        games = [[column[:-1] if k == n else column for n, column in enumerate(columns)] for k in before]
    else:
        games = [columns]
    if not any(reachable(game) for game in games):
        raise RamifyError("no alternating sequence of moves, x first, leads to these stones")
    state.mine, state.theirs = mine, theirs


def reachable(columns):
    """Whether alternating moves, x first, can have filled these columns; used by ``read``."""
    stones = sum(map(len, columns))
    waiting = [(0,) * 7]
    met = set(waiting)
    while waiting:
        heights = waiting.pop()
        if sum(heights) == stones:
            return True
        mark = "xo"[sum(heights) % 2]
        for k, height in enumerate(heights):
            after = (*heights[:k], height + 1, *heights[k + 1 :])
            if columns[k][height : height + 1] == mark and after not in met:
                met.add(after)
                waiting.append(after)
    return False


def draw(rules, state):
    rows = write(rules, state).split("/")
    return "\n".join([*(" ".join(row) for row in rows), "1 2 3 4 5 6 7"])
