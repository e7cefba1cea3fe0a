"""Checkers (English draughts) on 8x8: capture by jumping; a player who cannot move loses.

Black, player 0, starts on squares 1 to 12 and moves first. A man steps one square diagonally forward. A man that
reaches the far row becomes a king, which also moves backward. An adjacent enemy piece with an empty square behind it is
jumped and removed. Jumps are mandatory (any of them may be chosen) and continue with the same piece as long as
possible; the whole chain is one move. A man crowned by a jump stops there. A player who cannot move loses.

After ``quiet`` plies in a row without a capture the game is drawn, even if the player to move is stuck (default: 40, as
in OpenSpiel's ``checkers``). With ``advances=true`` a man's step also resets the count, so ``quiet=80, advances=true``
is the forty-move rule of tournaments. With ``duel=true`` a lone king against a lone king is a draw. Pepels et al.
(2014) played ``quiet=25, advances=true, duel=true``. All other rules are those of the World Checkers Draughts
Federation. Playouts are uniform.

Moves are named by the numbers of the squares: ``11-15``, or ``22x15x8`` with every landing square. Two chains over the
same pieces in a different order are two moves. Position text: the dark squares in rows of four from square 1, ``b`` and
``w`` (men), ``B`` and ``W`` (kings), ``.``, separated by ``/``, then ``b`` or ``w`` to move and the plies since the
last capture (or advance).
"""

import numpy as np

from ramify.core.numbers.bits import ONE, ZERO, bit, lowest, popcount, without_lowest
from ramify.core.numbers.rng import below
from ramify.errors import RamifyError
from ramify.games.boards import grids
from ramify.games.boards.cell_words import random_of_four
from ramify.games.boards.texts import read_number
from ramify.games.checkers.bitboard import (
    DARK,
    FAR,
    NINE,
    NUMBER,
    SEVEN,
    SQUARE,
    apply_move,
    can_move,
    jumps,
    king_against_king,
    neighbour,
    shift_ahead,
    steps,
)

PLAYERS = 2
MAX_MOVES = 12 * 16  # no piece ever has more than 16 chains
MOVE_CLASSES = 32 * 32  # pairs of dark squares

Rules = np.dtype([("quiet", np.int64), ("advances", np.int64), ("duel", np.int64)])
State = np.dtype(
    [
        ("mine", np.uint64),  # all pieces of the player to move
        ("theirs", np.uint64),
        ("kings", np.uint64),  # of both players
        ("mover", np.int64),
        ("quiet", np.int64),  # plies since the last capture (or advance)
        ("stuck", np.int64),  # whether the player to move cannot move
    ]
)

HOME = np.uint64(sum(1 << k for k in range(24)))
_14, _18, _40 = (np.uint64(k) for k in (14, 18, 40))


def configure(rules, quiet=40, advances=False, duel=False):
    if not 1 <= quiet <= 10_000:
        raise RamifyError(f"invalid quiet={quiet} for checkers: use 1 to 10000")
    rules.quiet, rules.advances, rules.duel = quiet, advances, duel


def start(rules, state):
    state.mine = DARK & HOME
    state.theirs = DARK & (HOME << _40)
    state.kings = ZERO
    state.mover = 0
    state.quiet = 0
    state.stuck = 0


def mover(rules, state):
    return state.mover


def drawn(rules, mine, kings, theirs, quiet):
    return quiet >= rules.quiet or (rules.duel != 0 and king_against_king(mine, kings, theirs))


def over(rules, state):
    return state.stuck != 0 or drawn(rules, state.mine, state.kings, state.theirs, state.quiet)


# A move is origin + 64 * jumps + 1024 * path, with two bits per direction; a step has 0 jumps and one direction.


def nth_jump_chain(mine, kings, theirs, player, n):
    """Count jump chains up to number ``n``. Return the count and that chain as a move, or -1.

    Depth-first search; the path of directions is the stack. Jumped pieces stay on the board until the end of the chain
    but are not jumped twice. A man cannot continue from the far row, since he has no backward jumps.
    """
    count = 0
    pieces = mine
    while pieces != ZERO:
        origin = pieces & ~(pieces - ONE)
        free = DARK & ~((mine ^ origin) | theirs)
        ways = 4 if (origin & kings) != ZERO else 2
        at, taken, path, length, direction, leaf = origin, ZERO, 0, 0, 0, False
        while True:
            while direction < ways:
                between = neighbour(at, direction, player) & theirs & ~taken
                to = neighbour(between, direction, player) & free
                if to != ZERO:
                    path |= direction << (2 * length)
                    length += 1
                    at = to
                    taken |= between
                    direction = 0
                    leaf = True
                else:
                    direction += 1
            if leaf:
                if count == n:
                    return count + 1, lowest(origin) + 64 * length + 1024 * path
                count += 1
                leaf = False
            if length == 0:
                break
            length -= 1
            direction = (path >> (2 * length)) & 3
            path -= direction << (2 * length)
            between = neighbour(at, direction ^ 2, player)
            at = neighbour(between, direction ^ 2, player)
            taken ^= between
            direction += 1
        pieces = without_lowest(pieces)
    return count, -1


def legal(rules, state, moves):
    mine, theirs, player = state.mine, state.theirs, state.mover
    count = 0
    while True:
        _, move = nth_jump_chain(mine, state.kings, theirs, player, count)
        if move < 0:
            break
        moves[count] = move
        count += 1
    if count == 0:
        for direction in range(4):
            pieces = mine & state.kings if direction >= 2 else mine
            targets = neighbour(pieces, direction, player) & DARK & ~(mine | theirs)
            while targets != ZERO:
                to = targets & ~(targets - ONE)
                moves[count] = lowest(neighbour(to, direction ^ 2, player)) + 1024 * direction
                targets = without_lowest(targets)
                count += 1
    return count


def move_class(rules, state, move):
    """Classes: (origin, target). Jump chains that share both are rare and share a class."""
    at = bit(move & 63)
    length, path = (move >> 6) & 15, move >> 10
    for k in range(max(length, 1)):
        for _ in range(1 if length == 0 else 2):
            at = neighbour(at, (path >> (2 * k)) & 3, state.mover)
    return 32 * ((move & 63) >> 1) + (lowest(at) >> 1)


def play(rules, state, move):
    quiet = state.quiet + 1
    if move & 960 != 0 or (rules.advances != 0 and bit(move & 63) & state.kings == ZERO):
        quiet = 0
    mine, kings, theirs = apply_move(state.mine, state.kings, state.theirs, state.mover, move)
    set_up(state, theirs, kings, mine, 1 - state.mover, quiet)


def set_up(state, mine, kings, theirs, player, quiet):
    """Set the position; ``player`` is to move."""
    state.mine, state.kings, state.theirs = mine, kings, theirs
    state.mover, state.quiet = player, quiet
    state.stuck = not can_move(mine, kings, theirs, player)


def sample(rules, state, rng):
    """Draw a uniform jump chain, or a uniform step if there is no jump."""
    mine, kings, theirs, player = state.mine, state.kings, state.theirs, state.mover
    empty = DARK & ~(mine | theirs)
    a, b, c, d = jumps(mine, kings, theirs, empty, player)
    if (a | b | c | d) != ZERO:
        total, _ = nth_jump_chain(mine, kings, theirs, player, -1)
        _, move = nth_jump_chain(mine, kings, theirs, player, below(rng, total))
        return move
    a, b, c, d = steps(mine, kings, empty, player)
    a, b, c, d = random_of_four(a, b, c, d, rng)
    direction = 0 if a != ZERO else 1 if b != ZERO else 2 if c != ZERO else 3
    return lowest(neighbour(a | b | c | d, direction ^ 2, player)) + 1024 * direction


def playout(rules, state, rng):
    """Uniform playout in local variables. Enumerates jump chains only if some jump can be continued."""
    mine, kings, theirs, player, quiet = state.mine, state.kings, state.theirs, state.mover, state.quiet
    plies = 0
    while not drawn(rules, mine, kings, theirs, quiet):
        empty = DARK & ~(mine | theirs)
        a, b, c, d = jumps(mine, kings, theirs, empty, player)
        jumping = (a | b | c | d) != ZERO
        if jumping:
            # Per direction, a landing square continues as the piece (man or king) that jumped there.
            men = mine & ~kings
            plain_a = shift_ahead(shift_ahead(men, SEVEN, player) & theirs, SEVEN, player) & empty
            plain_b = shift_ahead(shift_ahead(men, NINE, player) & theirs, NINE, player) & empty
            crowned = (a & ~plain_a) | (b & ~plain_b) | c | d
            e, f, g, h = jumps(a | b | c | d, crowned, theirs, empty, player)
        else:
            e, f, g, h = ZERO, ZERO, ZERO, ZERO
            a, b, c, d = steps(mine, kings, empty, player)
            if (a | b | c | d) == ZERO:
                break
        if (e | f | g | h) != ZERO:
            total, _ = nth_jump_chain(mine, kings, theirs, player, -1)
            _, move = nth_jump_chain(mine, kings, theirs, player, below(rng, total))
            mine, kings, theirs = apply_move(mine, kings, theirs, player, move)
            quiet = 0
        else:
            a, b, c, d = random_of_four(a, b, c, d, rng)
            to = a | b | c | d
            origin = (
                shift_ahead(a, SEVEN, 1 - player)
                | shift_ahead(b, NINE, 1 - player)
                | shift_ahead(c, SEVEN, player)
                | shift_ahead(d, NINE, player)
            )
            quiet += 1
            if jumping:
                taken = origin
                theirs &= ~taken
                kings &= ~taken
                origin = (
                    shift_ahead(a, _14, 1 - player)
                    | shift_ahead(b, _18, 1 - player)
                    | shift_ahead(c, _14, player)
                    | shift_ahead(d, _18, player)
                )
            man = (origin & kings) == ZERO
            if jumping or (man and rules.advances != 0):
                quiet = 0
            mine = (mine ^ origin) | to
            kings = (kings & ~origin) | (to & FAR if man else to)
        mine, theirs = theirs, mine
        player = 1 - player
        plies += 1
    set_up(state, mine, kings, theirs, player, quiet)
    return plies


def scores(rules, state, out):
    lost = 0.5 if drawn(rules, state.mine, state.kings, state.theirs, state.quiet) else 0.0
    out[state.mover] = lost
    out[1 - state.mover] = 1.0 - lost


def quality(rules, state):
    """Increases with the winner's number of pieces; 1/2 for a draw."""
    is_draw = drawn(rules, state.mine, state.kings, state.theirs, state.quiet)
    return 0.5 if is_draw else popcount(state.theirs) / 13.0


def move_name(rules, state, move):
    player, at = int(state.mover), 1 << (int(move) & 63)
    length, path = move >> 6 & 15, move >> 10
    name = str(NUMBER[at.bit_length() - 1])
    for k in range(max(1, length)):
        for _ in range(2 if length else 1):
            at = int(neighbour(np.uint64(at), path >> 2 * k & 3, player))
        name += ("x" if length else "-") + str(NUMBER[at.bit_length() - 1])
    return name


def write(rules, state):
    squares = [SQUARE[k] for k in range(1, 33)]
    men = grids.marks_of(state.mover, state.mine, state.theirs, squares, ".bw")
    marks = [mark.upper() if int(state.kings) >> k & 1 else mark for k, mark in zip(squares, men, strict=True)]
    return "/".join(grids.rows_of(4, "".join(marks))) + f" {'bw'[state.mover]} {state.quiet}"


def read(rules, state, text):
    words = text.split()
    rows = words[0].split("/") if len(words) == 3 else []
    if not grids.are_rows(rows, [4] * 8, "bwBW.") or words[1] not in ("b", "w"):
        raise RamifyError(
            "expected 8 rows of 4 squares (b, w, B, W, .) from square 1, separated by /, then b or w to move and the"
            " plies since the last capture"
        )
    quiet = read_number(words[2], rules.quiet, "number of plies since the last capture")
    marks = "".join(rows)
    if "w" in marks[:4] or "b" in marks[28:]:
        raise RamifyError("a man on the far row should be a king")
    sides = {side: [SQUARE[k + 1] for k in range(32) if marks[k].lower() == side] for side in "bw"}
    if max(len(squares) for squares in sides.values()) > 12:
        raise RamifyError("expected at most 12 pieces per player")
    other = "w" if words[1] == "b" else "b"
    if not sides[other]:
        raise RamifyError("the player who moved last has no piece")
    mine, theirs = (np.uint64(sum(1 << square for square in sides[side])) for side in (words[1], other))
    kings = np.uint64(sum(1 << SQUARE[k + 1] for k in range(32) if marks[k] in "BW"))
    set_up(state, mine, kings, theirs, "bw".index(words[1]), quiet)


def draw(rules, state):
    """Black is on top, as in books; each row is followed by the numbers of its squares."""
    lines = []
    for row, marks in enumerate(write(rules, state).split()[0].split("/")):
        lines.append(("  " if row % 2 == 0 else "") + "   ".join(marks))
        lines[-1] = f"{lines[-1]:17}" + " ".join(f"{4 * row + k + 1:2}" for k in range(4))
    return "\n".join(lines)
