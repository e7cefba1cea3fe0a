"""Pentalath (designed by C. Browne's program Ludi in 2007): five in a row on hexagons, with captures as in Go.

Players take turns placing one stone on an empty cell, x first, and never pass. Enemy chains without a liberty (an empty
neighbour) are then captured. A stone must capture or have a liberty. A player wins with five or more stones in an
unbroken line, along any of three directions, after captures. In this implementation the game is a draw if the player to
move has no legal move, or after ``limit`` moves (0: four times the number of cells), which ends repetitions.

With ``swap=true`` the second player's first move may also be ``swap``: it replaces the stone of x by one of o, and then
x moves.

``board="half"`` (default) is the published board, the upper half of a hexagon of side 7: seven rows of 7 to 13 cells.
``board="hexagon"`` is a hexagon of side 5, rows of 5 to 9 to 5 cells, the board of Yavalath. Pepels et al. (2014)
played it with ``swap=true``.

``quality`` is 1 / (1 + n), where n is the loser's longest row that still has room to become five; with
``quality="linear"`` it is (5 - n) / 6, as in the program of Pepels et al. Playouts are uniform; ``heuristic`` and
``published_heuristic`` are those of Pepels et al. (2014).

Cells are named by row, ``a`` at the bottom, and number from the left: ``a1``. Position text: the rows from the top,
``x``, ``o`` and ``.``, separated by ``/``, then a space and the number of moves made.
"""

import numpy as np

from ramify.core.numbers.rng import below
from ramify.errors import RamifyError, suggestion
from ramify.games.boards.cell_sets import fill, remove, size_of, words
from ramify.games.boards.chains import (
    EMPTY,
    chain_without_liberties,
    clear,
    fields,
    join,
    place,
    remove_chain,
    update_neighbours,
)
from ramify.games.boards.grids import are_rows
from ramify.games.boards.placement import NOWHERE, allowed, has_no_placement, placements, random_placement
from ramify.games.boards.texts import read_moves_made
from ramify.games.boards.two_player_scores import NO_WINNER, by_winner

PLAYERS = 2
POINTS = 70
MAX_MOVE_LIMIT = 10_000
FIVE = 5
CROWDED = 4  # cells with more neighbours than this are not on the edge
MAX_TRIES = 16  # draws by rejection before `published_heuristic` scans all cells
BOARDS = {"half": (7, 1), "hexagon": (5, 5)}  # side, and the end of its range of rows, which starts at 1 - side
QUALITIES = ("inverse", "linear")
STEPS = (1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)  # directions, in pairs of opposites

Rules = np.dtype(
    [
        ("points", np.int64),
        ("words", np.int64),
        ("degree", np.int64),
        ("limit", np.int64),
        ("swap", np.int64),
        ("linear", np.int64),  # whether quality is linear
        ("neighbours", np.int64, (POINTS,)),  # number of neighbours of each cell
        ("lengths", np.int64, (9,)),  # lengths of the rows from the top, then zeros
        ("around", np.int16, (POINTS, 6)),  # neighbours; cells are numbered row by row from the top
    ]
)
State = np.dtype(
    [
        ("made", np.int64),  # number of moves so far
        ("winner", np.int64),
        ("empty", np.uint64, (words(POINTS),)),
        *fields(POINTS),
    ]
)


def configure(rules, board="half", limit=0, swap=False, quality="inverse"):
    if board not in BOARDS:
        raise RamifyError(f"invalid board='{board}' for pentalath: use half or hexagon; {suggestion(board, BOARDS)}")
    if not 0 <= limit <= MAX_MOVE_LIMIT:
        raise RamifyError(
            f"invalid limit={limit} for pentalath: use 1 to {MAX_MOVE_LIMIT}, or 0 for four times the number of cells"
        )
    if quality not in QUALITIES:
        raise RamifyError(
            f"invalid quality='{quality}' for pentalath: use inverse or linear; {suggestion(quality, QUALITIES)}"
        )
    side, below_top = BOARDS[board]
    rows = [[(q, r) for q in range(1 - side, side) if abs(q + r) < side] for r in range(1 - side, below_top)]
    cells = [cell for row in rows for cell in row]
    numbers = {cell: number for number, cell in enumerate(cells)}
    rules.points, rules.words, rules.degree = len(cells), words(len(cells)), len(STEPS)
    rules.limit, rules.swap, rules.linear = limit or 4 * len(cells), swap, quality == "linear"
    rules.lengths[: len(rows)] = [len(row) for row in rows]
    for number, (q, r) in enumerate(cells):
        rules.around[number] = [numbers.get((q + right, r + down), len(cells)) for right, down in STEPS]
        rules.neighbours[number] = sum(beside != len(cells) for beside in rules.around[number])


def max_moves(rules):
    return int(rules.points)


def move_classes(rules):
    return int(rules.points)


def start(rules, state):
    state.made = 0
    state.winner = NO_WINNER
    clear(rules, state)
    fill(state.empty, rules.points)


def mover(rules, state):
    return state.made & 1


def over(rules, state):
    if state.winner != NO_WINNER or state.made >= rules.limit:
        return True
    return has_no_placement(rules, state, state.empty, mover(rules, state) + 1, allowed)


def may_swap(rules, state):
    """Whether the first stone may be swapped; then every cell is a legal move."""
    return rules.swap != 0 and state.made == 1


def legal(rules, state, moves):
    if may_swap(rules, state):
        for cell in range(rules.points):
            moves[cell] = cell
        return rules.points
    return placements(rules, state, state.empty, mover(rules, state) + 1, allowed, moves)


def sample(rules, state, rng):
    """Return a uniformly random legal move, or NOWHERE if no move is legal."""
    if may_swap(rules, state):
        return below(rng, rules.points)
    left = size_of(state.empty, rules.words)
    return random_placement(rules, state, state.empty, left, mover(rules, state) + 1, allowed, 0, rng)


def heuristic(rules, state, rng):
    """Same as ``published_heuristic``."""
    return published_heuristic(rules, state, rng)


def published_heuristic(rules, state, rng):
    """Playout move of Pepels et al. (2014): cells with more than four neighbours are twice as likely as others.

    Draws from all cells up to MAX_TRIES times, then scans them all (weighted reservoir sampling).
    """
    colour = mover(rules, state) + 1
    chosen, seen = NOWHERE, 0
    for k in range(MAX_TRIES + rules.points):
        cell = k - MAX_TRIES if k >= MAX_TRIES else below(rng, rules.points)
        weight = 1 + (rules.neighbours[cell] > CROWDED)
        if k < MAX_TRIES and below(rng, 2) >= weight:
            continue
        if state.stones[cell] != EMPTY and not may_swap(rules, state):
            continue
        if state.stones[cell] == EMPTY and not allowed(rules, state, cell, colour):
            continue
        if k < MAX_TRIES:
            return cell
        seen += weight
        if below(rng, seen) < weight:
            chosen = cell
    return chosen


def published_moves(rules, state, rng, moves, weights):
    """List the legal moves with the weights of ``published_heuristic``."""
    count = legal(rules, state, moves)
    for k in range(count):
        weights[k] = 1.0 + (rules.neighbours[moves[k]] > CROWDED)
    return count


def play(rules, state, move):
    if state.stones[move] != EMPTY:  # a swap: liberties do not depend on the colour
        state.stones[move] = 2
        state.made += 1
        return
    colour = mover(rules, state) + 1
    update_neighbours(rules, state, move, -1)
    for k in range(rules.degree):
        beside = rules.around[move, k]
        if state.stones[beside] == 3 - colour and state.pseudo_liberties[state.head[beside]] == 0:
            remove_chain(rules, state, state.head[beside])
    join(rules, state, move, colour)
    remove(state.empty, move)
    state.made += 1
    if makes_five(rules, state, move, colour):
        state.winner = colour - 1


def makes_five(rules, state, cell, colour):
    """Whether this stone is part of a line of five or more."""
    won = False
    for axis in range(3):
        length = 1
        for k in range(2 * axis, 2 * axis + 2):
            there = rules.around[cell, k]
            while state.stones[there] == colour:
                length += 1
                there = rules.around[there, k]
        won |= length >= FIVE
    return won


def playout(rules, state, rng):
    """Uniform playout. ``sample`` returns NOWHERE if no move is legal, so ``over`` is not called."""
    before = state.made
    while state.winner == NO_WINNER and state.made < rules.limit:
        cell = sample(rules, state, rng)
        if cell == NOWHERE:
            break
        play(rules, state, cell)
    return state.made - before


def scores(rules, state, out):
    by_winner(state.winner, out)


def quality(rules, state):
    """Decreases with the loser's longest row that has room to become five, n = 1 to 4; a draw counts as n = 1."""
    longest = 1
    if state.winner != NO_WINNER:
        loser = 2 - state.winner
        for cell in range(rules.points):
            for axis in range(3):
                if state.stones[cell] == loser and state.stones[rules.around[cell, 2 * axis + 1]] != loser:
                    longest = max(longest, extendable_row(rules, state, cell, 2 * axis, loser))
    return (FIVE - longest) / 6.0 if rules.linear else 1.0 / (1.0 + longest)


def extendable_row(rules, state, cell, way, colour):
    """Return the length of the row that starts at a cell, or 0 if it has no room to become five."""
    length = 0
    there = np.int64(cell)
    while state.stones[there] == colour:
        length += 1
        there = np.int64(rules.around[there, way])
    room = length
    while state.stones[there] == EMPTY or state.stones[there] == colour:
        room += 1
        there = np.int64(rules.around[there, way])
    there = np.int64(rules.around[cell, way + 1])
    while state.stones[there] == EMPTY or state.stones[there] == colour:
        room += 1
        there = np.int64(rules.around[there, way + 1])
    return length if room >= FIVE else 0


def rows_of(rules, items):
    """Split a list with one item per cell into rows from the top."""
    ends = np.cumsum([int(length) for length in rules.lengths if length])
    return [list(part) for part in np.split(np.array(items), ends[:-1])]


def cell_name(rules, move):
    rows = rows_of(rules, range(int(rules.points)))
    k = next(k for k, row in enumerate(rows) if move in row)
    return "abcdefghi"[len(rows) - 1 - k] + str(rows[k].index(move) + 1)


def move_name(rules, state, move):
    return "swap" if state.stones[move] != EMPTY else cell_name(rules, move)


def write(rules, state):
    rows = rows_of(rules, [".xo"[stone] for stone in state.stones[: rules.points]])
    return "/".join("".join(row) for row in rows) + f" {state.made}"


def read(rules, state, text):
    board, _, made = text.strip().lower().rpartition(" ")
    rows = board.strip().split("/")
    lengths = [int(length) for length in rules.lengths if length]
    if not are_rows(rows, lengths, "xo."):
        raise RamifyError(
            f"expected rows of {', '.join(map(str, lengths))} cells (x, o, .) from the top, separated by /, then the"
            " number of moves"
        )
    number = read_moves_made(made, rules.limit)
    cells = [".xo".index(mark) for row in rows for mark in row]
    start(rules, state)
    for cell, colour in enumerate(cells):
        if colour:
            place(rules, state, cell, colour)
            remove(state.empty, cell)
    state.made = number
    if cells.count(1) > (state.made + 1) // 2 or cells.count(2) > state.made // 2:
        raise RamifyError(f"too many stones for {made} moves")
    last = 2 - mover(rules, state)
    if state.made > 0 and last not in cells:
        raise RamifyError("the stone of the last move is missing")
    if chain_without_liberties(rules, state) >= 0:
        raise RamifyError(f"the chain at {cell_name(rules, chain_without_liberties(rules, state))} has no liberty")
    if fives(rules, state, 3 - last):
        raise RamifyError("the player to move has already won")
    made_fives = fives(rules, state, last)
    if made_fives and not set.intersection(*made_fives):
        raise RamifyError("no single move can have completed all of these rows")
    if made_fives:
        state.winner = last - 1


def fives(rules, state, colour):
    """Return all lines of five cells that a colour holds; used by ``read``."""
    found = []
    for cell in range(int(rules.points)):
        for way in (0, 2, 4):
            line, there = [], cell
            while state.stones[there] == colour and len(line) < FIVE:
                line.append(there)
                there = int(rules.around[there, way])
            if len(line) == FIVE:
                found.append(set(line))
    return found


def draw(rules, state):
    rows = write(rules, state).split()[0].split("/")
    widest = max(len(row) for row in rows)
    letters = "abcdefghi"[len(rows) - 1 :: -1]
    return "\n".join(f"{letters[k]} " + " " * (widest - len(row)) + " ".join(row) for k, row in enumerate(rows))
