"""Steps and jumps on the dark squares of an 8x8 bitboard.

Square 8*row + column; row 0 is black's home. A shift by 7 or 9 that leaves the board sideways lands on a light square,
so masking with DARK is enough.
"""

import numpy as np

from ramify.core.numbers.bits import ZERO, bit, popcount

DARK = np.uint64(0xAA55AA55AA55AA55)
FAR = np.uint64(0xFF000000000000FF)  # both back rows: a man can only reach the far one
SEVEN, NINE = np.uint64(7), np.uint64(9)

# Conventional numbers of the dark squares, 1 to 32.
SQUARE = {4 * (square // 8) + 4 - square % 8 // 2: square for square in range(64) if int(DARK) >> square & 1}
NUMBER = {square: number for number, square in SQUARE.items()}


def shift_ahead(squares, step, player):
    """Shift squares towards the far row of a player."""
    return squares << step if player == 0 else squares >> step


def neighbour(square, direction, player):
    """Return a neighbour: ahead by 7 (direction 0) or 9 (1), back by 7 (2) or 9 (3); ``direction ^ 2`` reverses."""
    return shift_ahead(square, SEVEN if direction & 1 == 0 else NINE, player if direction < 2 else 1 - player)


def steps(mine, kings, empty, player):
    """Return the targets of steps, one set per direction."""
    back = mine & kings
    return (
        shift_ahead(mine, SEVEN, player) & empty,
        shift_ahead(mine, NINE, player) & empty,
        shift_ahead(back, SEVEN, 1 - player) & empty,
        shift_ahead(back, NINE, 1 - player) & empty,
    )


def jumps(mine, kings, theirs, empty, player):
    """Return the landing squares of single jumps, one set per direction."""
    back = mine & kings
    return (
        shift_ahead(shift_ahead(mine, SEVEN, player) & theirs, SEVEN, player) & empty,
        shift_ahead(shift_ahead(mine, NINE, player) & theirs, NINE, player) & empty,
        shift_ahead(shift_ahead(back, SEVEN, 1 - player) & theirs, SEVEN, 1 - player) & empty,
        shift_ahead(shift_ahead(back, NINE, 1 - player) & theirs, NINE, 1 - player) & empty,
    )


def can_move(mine, kings, theirs, player):
    empty = DARK & ~(mine | theirs)
    a, b, c, d = steps(mine, kings, empty, player)
    e, f, g, h = jumps(mine, kings, theirs, empty, player)
    return (a | b | c | d | e | f | g | h) != ZERO


def king_against_king(mine, kings, theirs):
    """Whether each player has exactly one piece, a king."""
    return popcount(mine) == 1 and popcount(theirs) == 1 and (mine | theirs) & ~kings == ZERO


def apply_move(mine, kings, theirs, player, move):
    """Return ``mine``, ``kings`` and ``theirs`` after a move; the players are not swapped."""
    origin = bit(move & 63)
    length, path = (move >> 6) & 15, move >> 10
    at, taken = origin, ZERO
    if length == 0:
        at = neighbour(at, path, player)
    for k in range(length):
        between = neighbour(at, (path >> (2 * k)) & 3, player)
        taken |= between
        at = neighbour(between, (path >> (2 * k)) & 3, player)
    crowned = at & FAR if (origin & kings) == ZERO else at
    return (mine ^ origin) | at, (kings & ~(origin | taken)) | crowned, theirs & ~taken
