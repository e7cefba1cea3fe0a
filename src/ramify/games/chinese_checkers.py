"""Chinese Checkers for two on the star of 73 cells, six pieces each: hop across and fill the opposite point.

The board is a hexagon of side 4 with six points of side 3. Player 0, ``x``, starts in the bottom point and goes for
the top point; player 1, ``o``, the other way. A move takes a piece one step to an adjacent empty cell, or by a chain of
hops, each over one adjacent piece of either side to the empty cell right behind it; nothing is captured, and a chain
may stop after any hop. Moves are told by where they begin and end, however they get there. All cells are open to all
pieces, and pieces may go back.

Whoever moves and then finds the opposite point full, with at least one of the pieces in it his own, has won: a piece
that stays at home cannot keep the other side from winning. Whoever cannot move passes. After ``plies`` plies the game
ends, and the side whose pieces have fewer rows still to go wins (equal: a draw); a row is one of the thirteen, and a
piece in the opposite point has none to go.

Cells are named by row from the bottom and place from the left, ``1a`` to ``13a``; moves ``3b-4d``, or ``pass``.
Position text: the rows from the top, ``x``, ``o`` and ``.``, separated by ``/``, then ``x`` or ``o`` to move and the
plies played.
"""

import numpy as np

from ramify.core.numbers.bits import ZERO, bit, lowest, nth, popcount, without_lowest
from ramify.core.numbers.rng import below
from ramify.errors import RamifyError
from ramify.games.boards.results import by_lead, by_winner

PLAYERS = 2
PIECES = 6
CELLS = 73
PASS = CELLS * CELLS
MAX_MOVES = PIECES * (CELLS - 2 * PIECES)
MOVE_CLASSES = PASS + 1
MARGINS = (-52, 52)  # nowhere is farther to go than from home

WIDTHS = (1, 2, 3, 10, 9, 8, 7, 8, 9, 10, 3, 2, 1)  # of the rows, from the bottom
ROW = np.array([row for row, width in enumerate(WIDTHS) for _ in range(width)])
ASIDE = [2 * k - width + 1 for width in WIDTHS for k in range(width)]  # from the middle, in half cells
AT = {(int(row), aside): cell for cell, (row, aside) in enumerate(zip(ROW, ASIDE, strict=True))}
WAYS = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))
NEXT = np.array([[AT.get((row + up, aside + side), -1) for row, aside in AT] for up, side in WAYS])
POINT = CELLS - PIECES  # the opposite point is cells 67 to 72 for player 0, 0 to 5 for player 1

Rules = np.dtype([("plies", np.int64)])
State = np.dtype(
    [
        ("plies", np.int64),  # the player to move is plies % 2
        ("pieces", np.int8, (2, PIECES)),  # the cells of each player's, in rising order
        ("cells", np.int8, (CELLS,)),  # 0 empty, 1 + player
    ]
)


def configure(rules, plies=200):
    if not 2 <= plies <= 10_000:
        raise RamifyError(f"chinese checkers ends after 2 to 10000 plies, not {plies}")
    rules.plies = plies


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


def in_point(state, player, piece):
    """How many cells of a player's opposite point hold ``piece`` (0 empty, 1 + a player)."""
    count = 0
    for k in range(PIECES):
        count += state.cells[k + (POINT if player == 0 else 0)] == piece
    return count


def won(state):
    """Whether the player who has just moved has won."""
    player = 1 - (state.plies & 1)
    return in_point(state, player, 0) == 0 and in_point(state, player, 1 + player) > 0


def over(rules, state):
    return state.plies >= rules.plies or won(state)


def steps(state, origin):
    """The empty cells next to ``origin``, 0 to 63 in one word, the others in a second."""
    low, high = ZERO, ZERO
    for way in range(6):
        to = NEXT[way, origin]
        if to >= 0 and state.cells[to] == 0:
            if to < 64:
                low |= bit(to)
            else:
                high |= bit(to - 64)
    return low, high


def hops(state, origin):
    """The cells that the piece on ``origin`` can reach by hops, as two words.

    Hops lead to cells an even number of steps away, so that a piece never comes to hop over the cell it has left.
    """
    low, high = ZERO, ZERO
    waiting_low, waiting_high = ZERO, ZERO
    at = origin
    while True:
        for way in range(6):
            over_it = NEXT[way, at]
            if over_it < 0 or state.cells[over_it] == 0:
                continue
            to = NEXT[way, over_it]
            if to < 0 or state.cells[to] != 0:
                continue
            if to < 64:
                waiting_low |= bit(to) & ~low
                low |= bit(to)
            else:
                waiting_high |= bit(to - 64) & ~high
                high |= bit(to - 64)
        if waiting_low != ZERO:
            at = lowest(waiting_low)
            waiting_low = without_lowest(waiting_low)
        elif waiting_high != ZERO:
            at = 64 + lowest(waiting_high)
            waiting_high = without_lowest(waiting_high)
        else:
            break
    return low, high


def destinations(state, origin):
    """The cells that the piece on ``origin`` can reach, as two words."""
    low, high = steps(state, origin)
    far_low, far_high = hops(state, origin)
    return low | far_low, high | far_high


# A move: 73*from + to, or PASS.


def legal(rules, state, moves):
    count = 0
    for k in range(PIECES):
        origin = np.int64(state.pieces[state.plies & 1, k])
        low, high = destinations(state, origin)
        while low != ZERO:
            moves[count] = CELLS * origin + lowest(low)
            low = without_lowest(low)
            count += 1
        while high != ZERO:
            moves[count] = CELLS * origin + 64 + lowest(high)
            high = without_lowest(high)
            count += 1
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
    """One pass over the pieces, each kept with the chance that makes all moves equal."""
    origin, low, high, seen = 0, ZERO, ZERO, 0
    for k in range(PIECES):
        piece = np.int64(state.pieces[state.plies & 1, k])
        here_low, here_high = destinations(state, piece)
        count = popcount(here_low) + popcount(here_high)
        seen += count
        if count > 0 and below(rng, seen) < count:
            origin, low, high = piece, here_low, here_high
    if seen == 0:
        return PASS
    n = below(rng, popcount(low) + popcount(high))
    first = popcount(low)
    return CELLS * origin + (nth(low, n) if n < first else 64 + nth(high, n - first))


def heuristic(rules, state, rng):
    """A move that wins at once if there is one, or else any move."""
    player = state.plies & 1
    point = POINT if player == 0 else 0
    empty = in_point(state, player, 0)
    if empty == 1 or (empty == 0 and in_point(state, player, 1 + player) > 0):
        for k in range(PIECES):
            origin = np.int64(state.pieces[player, k])
            if origin < point or origin >= point + PIECES:
                low, high = destinations(state, origin)
                for to in range(CELLS):
                    inside = point <= to < point + PIECES
                    reached = (low >> np.uint64(to)) if to < 64 else (high >> np.uint64(to - 64))
                    if (reached & np.uint64(1)) != ZERO and inside == (empty == 1):
                        return CELLS * origin + to
    return sample(rules, state, rng)


def rows_to_go(state, player):
    count = 0
    for k in range(PIECES):
        row = ROW[state.pieces[player, k]]
        count += max(0, 10 - row if player == 0 else row - 2)
    return count


def margin(rules, state):
    """The rows that player 1 has still to go less those of player 0."""
    return float(rows_to_go(state, 1) - rows_to_go(state, 0))


def scores(rules, state, out):
    if won(state):
        by_winner(1 - (state.plies & 1), out)
    else:
        by_lead(margin(rules, state), out)


def quality(rules, state):
    """Inverse of how many pieces the loser has brought home; a draw counts as if that were two."""
    if won(state):
        loser = state.plies & 1
    else:
        lead = margin(rules, state)
        if lead == 0.0:
            return 0.25
        loser = 1 if lead > 0.0 else 0
    return 1.0 / (2.0 + in_point(state, loser, 1 + loser))


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
    if tuple(len(row) for row in rows) != WIDTHS or set("".join(rows)) - set(".xo"):
        raise RamifyError(
            f"give 13 rows of {', '.join(map(str, WIDTHS))} of x, o and ., separated by /, then x or o to move and the"
            " plies played"
        )
    if not words[2].isascii() or not words[2].isdigit() or int(words[2]) > rules.plies:
        raise RamifyError(f"the plies played are 0 to {rules.plies}, not {words[2]}")
    plies, marks = int(words[2]), "".join(rows)
    if words[1] != "xo"[plies % 2]:
        raise RamifyError(f"x moves first, so after {plies} plies it is {'xo'[plies % 2]} to move, not {words[1]}")
    if marks.count("x") != PIECES or marks.count("o") != PIECES:
        raise RamifyError(f"each side has {PIECES} pieces, not {marks.count('x')} and {marks.count('o')}")
    away = PIECES - marks[:PIECES].count("x"), PIECES - marks[POINT:].count("o")
    if away[0] > (plies + 1) // 2 or away[1] > plies // 2:
        raise RamifyError(f"more pieces have left home, {away[0]} and {away[1]}, than {plies} plies can have moved")
    if (marks[POINT:] if plies % 2 == 0 else marks[:PIECES]) == PIECES * words[1]:
        raise RamifyError("the player to move has already won, which cannot happen")
    state.plies = plies
    state.cells = [".xo".index(mark) for mark in marks]
    state.pieces = [[cell for cell in range(CELLS) if marks[cell] == side] for side in "xo"]


def draw(rules, state):
    rows = write(rules, state).split()[0].split("/")
    return "\n".join(f"{13 - k:2} " + " ".join(row).center(20).rstrip() for k, row in enumerate(rows))
