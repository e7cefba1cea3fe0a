"""Hex (Piet Hein 1942, John Nash 1948) on a rhombus of up to 19 x 19 cells, without the swap rule.

Players take turns placing one stone. Player 0 (``x``) wins by connecting the top row to the bottom row, player 1
(``o``) by connecting the left column to the right one. A cell has neighbours to its left and right, two above (same
column, and one to the right) and two below (same column, and one to the left). Edges and names are those of OpenSpiel's
``hex``: ``a1`` is the top left cell, ``b1`` is to its right, ``a2`` below it.

A playout fills the whole board at once; its result is distributed as in uniform play. On a full board exactly one
player is connected (Gale, "The game of Hex and the Brouwer fixed-point theorem", 1979), and a connection is never
broken, so continuing to a full board does not change the result. The first player's cells are then a uniform random
subset of the empty ones, of the size that alternation gives her. To draw it, flip a fair coin per cell, which is
uniform among subsets of the resulting size; then add or remove uniformly chosen cells until the size is right.

Such a playout always lasts as many plies as there are empty cells. ``exact_length_playout`` finds the ply at which the
winner connected. Given the full board, the order of her stones is uniform, so coin flips choose a random set of earlier
stones. If that set connects her edges, the deciding stone is in it; otherwise it is among the rest. Repeat: a binary
search.

Position text: the rows from the top, ``x``, ``o`` and ``.``, separated by ``/``. The number of stones determines the
player to move.
"""

import numpy as np

from ramify.core.numbers.bits import ONE, ZERO, bit, has, lowest, nth, popcount, without_lowest
from ramify.core.numbers.rng import below, word
from ramify.errors import RamifyError
from ramify.games.boards import grids

PLAYERS = 2
MAX_SIZE = 19
ROWS = MAX_SIZE + 2  # the board is rows 1 to side

Rules = np.dtype([("side", np.int64)])

# A row is a word, a column a bit. Player 1's rows are the board's columns, so both connect row 1 to row ``side``.
State = np.dtype(
    [
        ("placed", np.int64),  # stones on the board
        ("winner", np.int64),  # -1 before a connection
        ("empty", np.uint32, (ROWS,)),
        ("stones", np.uint32, (2, ROWS)),
        ("reach", np.uint32, (2, ROWS)),  # stones connected to row 0, the edge, which is all ones
    ]
)


def configure(rules, size=11):
    grids.check_size("hex", size, 2, MAX_SIZE)
    rules.side = size


def max_moves(rules):
    return int(rules.side**2)


def start(rules, state):
    state.placed = 0
    state.winner = -1
    line = bit(rules.side) - ONE
    for row in range(ROWS):
        state.empty[row] = line if 1 <= row <= rules.side else ZERO
        for player in range(2):
            state.stones[player, row] = ZERO
            state.reach[player, row] = line if row == 0 else ZERO


def mover(rules, state):
    return state.placed & 1


def over(rules, state):
    return state.winner >= 0


def legal(rules, state, moves):
    count = 0
    for row in range(rules.side):
        cells = np.uint64(state.empty[row + 1])
        while cells != ZERO:
            moves[count] = row * rules.side + lowest(cells)
            cells = without_lowest(cells)
            count += 1
    return count


def sample(rules, state, rng):
    n = below(rng, rules.side * rules.side - state.placed)
    row = 1
    while n >= popcount(state.empty[row]):
        n -= popcount(state.empty[row])
        row += 1
    return (row - 1) * rules.side + nth(np.uint64(state.empty[row]), n)


def winning_move(rules, state):
    """Return the first empty cell that connects the mover's two edges, or -1."""
    side = rules.side
    line = bit(side) - ONE
    player = mover(rules, state)
    stones = state.stones[player]
    far = np.empty(ROWS, np.uint32)  # stones connected to row side + 1, which is all ones
    for row in range(side):
        far[row] = 0
    far[side] = stones[side]
    far[side + 1] = line
    while sweep(rules, stones, far, False) and sweep(rules, stones, far, True):
        pass
    first = -1
    for row in range(1, side + 1):
        cells = touching(state.reach[player], row) & touching(far, row) & line
        while cells != ZERO:
            column = lowest(cells)
            cells = without_lowest(cells)
            above, beside = (row - 1, column) if player == 0 else (column, row - 1)
            if has(np.uint64(state.empty[above + 1]), beside) and (first < 0 or above * side + beside < first):
                first = above * side + beside
    return first


def touching(reach, row):
    """Return the cells of a row that are adjacent to cells of ``reach``."""
    above, beside, under = np.uint64(reach[row - 1]), np.uint64(reach[row]), np.uint64(reach[row + 1])
    return above | (above >> ONE) | (beside << ONE) | (beside >> ONE) | under | (under << ONE)


def play(rules, state, move):
    player = mover(rules, state)
    row, column = move // rules.side, move % rules.side
    state.placed += 1
    state.empty[row + 1] &= ~bit(column)
    if player == 1:
        row, column = column, row
    stone = bit(column)
    stones, reach = state.stones[player], state.reach[player]
    stones[row + 1] |= stone
    if touching(reach, row + 1) & stone != ZERO:
        reach[row + 1] |= stone
        grow(rules, stones, reach)
        if reach[rules.side] != 0:
            state.winner = player


def grow(rules, stones, reach):
    """Add all connected stones to ``reach``. A sweep leaves nothing to add in its direction or along rows."""
    sweep(rules, stones, reach, True)
    while sweep(rules, stones, reach, False) and sweep(rules, stones, reach, True):
        pass


def sweep(rules, stones, reach, down):
    """Grow ``reach`` row by row, down from the near edge or up from the far one. Return whether it grew."""
    grown = ZERO
    last = np.uint64(reach[0]) if down else ZERO
    for k in range(rules.side):
        row = k + 1 if down else rules.side - k
        before = np.uint64(reach[row])
        touched = last | (last >> ONE if down else last << ONE)
        last = along(np.uint64(stones[row]), before | touched)
        grown |= last ^ before
        reach[row] = last
    return grown != ZERO


def along(stones, seeds):
    """Return the stones of a row in line with a seed: towards higher bits by the carry of a sum, else by shifts."""
    reached = stones & seeds
    reached |= stones & ~(stones + reached)
    while stones & (reached >> ONE) & ~reached != ZERO:
        reached |= stones & (reached >> ONE)
    return reached


def playout(rules, state, rng):
    """Fill the board. ``stones[1]`` is not updated: player 1's cells are all those that player 0 does not hold."""
    side = rules.side
    plies = side * side - state.placed
    stones = state.stones[0]
    surplus = -((plies + 1 - mover(rules, state)) // 2)
    for row in range(1, side + 1):
        chosen = word(rng) & state.empty[row]
        stones[row] |= chosen
        surplus += popcount(chosen)
    while surplus != 0:
        row = 1 + below(rng, side)
        cell = bit(below(rng, side))
        if state.empty[row] & cell != ZERO and (stones[row] & cell != ZERO) == (surplus > 0):
            stones[row] ^= cell
            surplus += -1 if surplus > 0 else 1
    for row in range(1, side + 1):
        state.empty[row] = ZERO
    state.placed = side * side
    grow(rules, stones, state.reach[0])
    state.winner = 0 if state.reach[0, side] != 0 else 1
    return plies


def exact_length_playout(rules, state, rng):
    """Like ``playout``, but return the plies up to the one that connected the winner's edges.

    ``empty`` temporarily holds the winner's stones among which the deciding one is (``suspects``), and ``first`` player
    0's stones once the earlier ones and a random subset of the suspects are placed. Both are restored at the end. Games
    end late, so subsets contain seven of eight suspects until one does not connect.
    """
    side = rules.side
    player = mover(rules, state)
    before = np.empty(ROWS, np.uint32)
    for row in range(1, side + 1):
        before[row] = state.empty[row]
    playout(rules, state, rng)
    winner = state.winner
    first, reach, left = state.stones[0], state.reach[0], state.empty
    full = np.empty(ROWS, np.uint32)
    suspects = 0
    for row in range(1, side + 1):
        full[row] = first[row]
        left[row] = before[row] & (first[row] if winner == 0 else ~first[row])
        suspects += popcount(left[row])
    placed = 0
    while suspects > 1:
        chosen = 0
        for row in range(1, side + 1):
            if left[row] != 0:
                coins = np.uint32((word(rng) | word(rng) | word(rng) if placed == 0 else word(rng)) & left[row])
                chosen += popcount(coins)
                first[row] = (first[row] & ~left[row]) | (coins if winner == 0 else left[row] & ~coins)
        if 0 < chosen < suspects:
            for row in range(1, side + 1):
                reach[row] = 0
            sweep(rules, first, reach, True)
            while reach[side] == 0 and sweep(rules, first, reach, False) and sweep(rules, first, reach, True):
                pass
            among = (reach[side] != 0) == (winner == 0)
            for row in range(1, side + 1):
                left[row] &= first[row] if among == (winner == 0) else ~first[row]
            placed += 0 if among else chosen
            suspects = chosen if among else suspects - chosen
    for row in range(1, side + 1):
        first[row] = full[row]
        reach[row] = 0
        left[row] = 0
    grow(rules, first, reach)
    return 2 * placed + (1 if winner == player else 2)


def move_classes(rules):
    return int(rules.side**2)


def owners(rules, state, out):
    for row in range(rules.side):
        empty, first = np.int64(state.empty[row + 1]), np.int64(state.stones[0, row + 1])
        for column in range(rules.side):
            out[row * rules.side + column] = -1 if (empty >> column) & 1 else 1 - ((first >> column) & 1)


def scores(rules, state, out):
    out[state.winner] = 1.0
    out[1 - state.winner] = 0.0


def move_name(rules, state, move):
    return grids.cell_name(int(rules.side), move)


def write(rules, state):
    side = int(rules.side)
    cells = [(row, column) for row in range(1, side + 1) for column in range(side)]
    marks = ["." if has(state.empty[r], c) else "x" if has(state.stones[0, r], c) else "o" for r, c in cells]
    return "/".join("".join(row) for row in grids.rows_of(side, marks))


def read(rules, state, text):
    side = int(rules.side)
    rows = text.strip().lower().split("/")
    if not grids.are_rows(rows, [side] * side, "xo."):
        raise RamifyError(f"expected {side} rows of {side} cells (x, o, .), separated by /")
    x, o = ([cell for cell, stone in enumerate("".join(rows)) if stone == player] for player in "xo")
    grids.turn_after(len(x), len(o))
    start(rules, state)
    for k in range(len(x) + len(o)):
        play(rules, state, (x, o)[k % 2][k // 2])
    if state.winner == mover(rules, state):
        raise RamifyError("the player to move has already won")
    if state.winner >= 0 and not any(connects(rules, state, cell) for cell in (x, o)[state.winner]):
        raise RamifyError("no single move can have made this connection")


def connects(rules, state, cell):
    """Whether the winner's edges are not connected without this stone; used by ``read``."""
    row, column = divmod(cell, int(rules.side))
    if state.winner == 1:
        row, column = column, row
    stones, reach = state.stones[state.winner].copy(), state.reach[state.winner].copy()
    stones[row + 1] &= ~bit(column)
    reach[1:] = 0
    grow(rules, stones, reach)
    return reach[rules.side] == 0


def draw(rules, state):
    rows = write(rules, state).split("/")
    letters = " ".join(chr(ord("a") + k) for k in range(len(rows)))
    return "\n".join(["   " + letters, *(" " * k + f"{k + 1:2} " + " ".join(row) for k, row in enumerate(rows))])
