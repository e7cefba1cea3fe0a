"""Chinese Checkers for two on the star of 73 cells, six pieces each: hop across and fill the opposite point.

The board is a hexagon of side 4 with six points of side 3. Player 0, ``x``, starts in the bottom point and heads for
the top point; player 1, ``o``, the other way. A move takes a piece one step to an adjacent empty cell, or along a chain
of hops, each over one adjacent piece of either player to the empty cell right behind it. Nothing is captured, and a
chain may stop after any hop. Moves with the same origin and target are one move, whatever the path. All cells are open
to all pieces, and pieces may move back.

A player wins if, after its move, the opposite point is full and at least one of the pieces in it is its own: a piece
that stays at home cannot keep the opponent from winning. A player who cannot move passes. After ``plies`` plies the
game ends, and the player whose pieces have fewer rows to go wins (equal: a draw). There are thirteen rows; a piece in
the opposite point has none to go. With ``drawn=true`` the ply limit is always a draw.

With ``stay=true`` a piece in the opposite point may only move within it. With ``forward=true`` moves that lead farther
from the goal are illegal unless there are no others. The goal is the empty cell of the opposite point that is nearest
its tip (of two equally near, the last one in the top point, the first one in the bottom point; the tip itself while all
are taken). A move leads farther away if its target is more steps from the goal than its origin.
``chinese_checkers(stay=true, forward=true, drawn=true, plies=1000)`` is our reading of what Pepels et al. (2014)
played; their program measures steps on a slanted grid, for a hop to the piece hopped over.

``quality`` is 1 / (2 + n), where n is the number of pieces the loser has in its opposite point; with
``quality="linear"`` it is (6 - n) / 7, as in that program. Playouts are uniform; ``heuristic`` plays a winning move if
there is one, ``published_heuristic`` is that of Pepels et al. (2014).

Cells are named by row from the bottom and column from the left, ``1a`` to ``13a``; moves ``3b-4d`` or ``pass``.
Position text: the rows from the top, ``x``, ``o`` and ``.``, separated by ``/``, then ``x`` or ``o`` to move and the
plies played.
"""

import numpy as np

from ramify.core.numbers.bits import ZERO, lowest, nth, popcount, without_lowest
from ramify.core.numbers.rng import below
from ramify.errors import RamifyError, suggestion
from ramify.games.boards.grids import are_rows
from ramify.games.boards.texts import read_number
from ramify.games.boards.two_player_scores import by_lead, by_winner
from ramify.games.chinese_checkers.star import (
    CELLS,
    PIECES,
    POINT,
    ROW,
    WIDTHS,
    draw_by_hops,
    in_point,
    inside,
    offered,
)

PLAYERS = 2
PASS = CELLS * CELLS
MAX_MOVES = PIECES * (CELLS - 2 * PIECES)
MOVE_CLASSES = PASS + 1
MARGINS = (-52, 52)  # no position has more rows to go than the start
QUALITIES = ("inverse", "linear")

Rules = np.dtype(
    [
        ("plies", np.int64),
        ("stay", np.int64),
        ("forward", np.int64),
        ("drawn", np.int64),  # whether the ply limit is a draw
        ("linear", np.int64),  # whether quality is linear
    ]
)
State = np.dtype(
    [
        ("plies", np.int64),  # player to move: plies % 2
        ("pieces", np.int8, (2, PIECES)),  # cells of each player's pieces, ascending
        ("cells", np.int8, (CELLS,)),  # 0 (empty) or 1 + player
    ]
)


def configure(rules, plies=200, stay=False, forward=False, drawn=False, quality="inverse"):
    if not 2 <= plies <= 10_000:
        raise RamifyError(f"invalid plies={plies} for chinese_checkers: use 2 to 10000")
    if quality not in QUALITIES:
        raise RamifyError(
            f"invalid quality='{quality}' for chinese_checkers: use inverse or linear; {suggestion(quality, QUALITIES)}"
        )
    rules.plies, rules.stay, rules.forward, rules.drawn = plies, stay, forward, drawn
    rules.linear = quality == "linear"


def start(rules, state):
    state.plies = 0
    for cell in range(CELLS):
        state.cells[cell] = 0
    for k in range(PIECES):
        state.pieces[0, k] = k
        state.pieces[1, k] = POINT + k
        state.cells[k] = 1
        state.cells[POINT + k] = 2


def mover(rules, state):
    return state.plies & 1


def won(state):
    """Whether the player who moved last has won."""
    player = 1 - (state.plies & 1)
    return in_point(state, player, 0) == 0 and in_point(state, player, 1 + player) > 0


def over(rules, state):
    return state.plies >= rules.plies or won(state)


# A move is 73*from + to, or PASS.


def legal(rules, state, moves):
    player = state.plies & 1
    count = 0
    for lenient in range(2):  # second round: all moves lead farther away
        for k in range(PIECES):
            origin = np.int64(state.pieces[player, k])
            low, high = offered(rules, state, player, origin, lenient)
            while low != ZERO:
                moves[count] = CELLS * origin + lowest(low)
                low = without_lowest(low)
                count += 1
            while high != ZERO:
                moves[count] = CELLS * origin + 64 + lowest(high)
                high = without_lowest(high)
                count += 1
        if count > 0 or rules.forward == 0:
            break
    if count == 0:
        moves[0] = PASS
        count = 1
    return count


def play(rules, state, move):
    player = state.plies & 1
    if move != PASS:
        origin, to = move // CELLS, move % CELLS
        state.cells[origin] = 0
        state.cells[to] = 1 + player
        k = 0
        while state.pieces[player, k] != origin:
            k += 1
        while k + 1 < PIECES and state.pieces[player, k + 1] < to:
            state.pieces[player, k] = state.pieces[player, k + 1]
            k += 1
        while k > 0 and state.pieces[player, k - 1] > to:
            state.pieces[player, k] = state.pieces[player, k - 1]
            k -= 1
        state.pieces[player, k] = to
    state.plies += 1


def sample(rules, state, rng):
    """Draw a uniform move in one pass over the pieces (weighted reservoir sampling)."""
    player = state.plies & 1
    origin, low, high, seen = 0, ZERO, ZERO, 0
    for lenient in range(2):
        for k in range(PIECES):
            piece = np.int64(state.pieces[player, k])
            here_low, here_high = offered(rules, state, player, piece, lenient)
            count = popcount(here_low) + popcount(here_high)
            seen += count
            if count > 0 and below(rng, seen) < count:
                origin, low, high = piece, here_low, here_high
        if seen > 0 or rules.forward == 0:
            break
    if seen == 0:
        return PASS
    n = below(rng, popcount(low) + popcount(high))
    first = popcount(low)
    return CELLS * origin + (nth(low, n) if n < first else 64 + nth(high, n - first))


def heuristic(rules, state, rng):
    """Play an immediately winning move if there is one, else a uniform move."""
    player = state.plies & 1
    empty = in_point(state, player, 0)
    if empty == 1 or (empty == 0 and in_point(state, player, 1 + player) > 0):
        for k in range(PIECES):
            origin = np.int64(state.pieces[player, k])
            if not inside(player, origin):
                low, high = offered(rules, state, player, origin, 0)
                for to in range(CELLS):
                    reached = (low >> np.uint64(to)) if to < 64 else (high >> np.uint64(to - 64))
                    if (reached & np.uint64(1)) != ZERO and inside(player, to) == (empty == 1):
                        return CELLS * origin + to
    return sample(rules, state, rng)


def published_heuristic(rules, state, rng):
    """Playout move of Pepels et al. (2014): the first piece that can move, from a random one on; its move by hops."""
    player = state.plies & 1
    start = below(rng, PIECES)
    for k in range(PIECES):
        origin = np.int64(state.pieces[player, (start + k) % PIECES])
        to = draw_by_hops(rules, state, player, origin, rng)
        if to >= 0:
            return CELLS * origin + to
    return sample(rules, state, rng)


def rows_to_go(state, player):
    count = 0
    for k in range(PIECES):
        row = ROW[state.pieces[player, k]]
        count += max(0, 10 - row if player == 0 else row - 2)
    return count


def margin(rules, state):
    """Rows that player 1 has still to go minus those of player 0."""
    return float(rows_to_go(state, 1) - rows_to_go(state, 0))


def scores(rules, state, out):
    if won(state):
        by_winner(1 - (state.plies & 1), out)
    else:
        by_lead(0.0 if rules.drawn else margin(rules, state), out)


def quality(rules, state):
    """Decreases with the loser's pieces in its opposite point; a draw counts as two."""
    brought = 2
    lead = 0.0 if rules.drawn else margin(rules, state)
    if won(state):
        brought = in_point(state, state.plies & 1, 1 + (state.plies & 1))
    elif lead != 0.0:
        loser = 1 if lead > 0.0 else 0
        brought = in_point(state, loser, 1 + loser)
    return (PIECES - brought) / 7.0 if rules.linear else 1.0 / (2.0 + brought)


def cell_name(cell):
    first = sum(WIDTHS[: ROW[cell]])
    return str(ROW[cell] + 1) + "abcdefghij"[cell - first]


def move_name(rules, state, move):
    return "pass" if move == PASS else f"{cell_name(move // CELLS)}-{cell_name(move % CELLS)}"


def write(rules, state):
    marks = "".join(".xo"[cell] for cell in state.cells)
    rows = [marks[sum(WIDTHS[:row]) : sum(WIDTHS[: row + 1])] for row in range(13)]
    return "/".join(reversed(rows)) + f" {'xo'[state.plies % 2]} {state.plies}"


def read(rules, state, text):
    words = text.strip().lower().split()
    rows = words[0].split("/")[::-1] if len(words) == 3 else []
    if not are_rows(rows, WIDTHS, ".xo"):
        raise RamifyError(
            f"expected rows of {', '.join(map(str, WIDTHS))} cells (x, o, .) from the top, separated by /, then x or o"
            " to move and the number of plies"
        )
    plies, marks = read_number(words[2], rules.plies, "number of plies"), "".join(rows)
    if words[1] != "xo"[plies % 2]:
        raise RamifyError(f"after {plies} plies it is {'xo'[plies % 2]} to move, not {words[1]}")
    if marks.count("x") != PIECES or marks.count("o") != PIECES:
        raise RamifyError(f"expected {PIECES} pieces each, not {marks.count('x')} and {marks.count('o')}")
    away = PIECES - marks[:PIECES].count("x"), PIECES - marks[POINT:].count("o")
    if away[0] > (plies + 1) // 2 or away[1] > plies // 2:
        raise RamifyError(f"{away[0]} and {away[1]} pieces have left home, too many for {plies} plies")
    if (marks[POINT:] if plies % 2 == 0 else marks[:PIECES]) == PIECES * words[1]:
        raise RamifyError("the player to move has already won")
    state.plies = plies
    state.cells = [".xo".index(mark) for mark in marks]
    state.pieces = [[cell for cell in range(CELLS) if marks[cell] == side] for side in "xo"]


def draw(rules, state):
    rows = write(rules, state).split()[0].split("/")
    return "\n".join(f"{13 - k:2} " + " ".join(row).center(20).rstrip() for k, row in enumerate(rows))
