"""Queen moves on boards of up to 10x10 squares, by tables indexed with the occupancy of a line.

A square is 16*row + column. There are four kinds of lines: rows, columns, diagonals of constant row - column and
diagonals of constant row + column. A line is a word of ten bits, indexed by row on columns and by column on all other
lines. Squares outside the board count as occupied.
"""

import numpy as np

from ramify.games.boards.grids import cell_name

MAX_SIZE = 10
LINES = 2 * MAX_SIZE  # upper bound, per kind
STEPS = 1, 16, 17, -15  # to the next square of a line, per kind

# Fields of the rules.
TABLES = [
    ("empty_lines", np.uint16, (4, LINES)),  # occupancy of each line of an empty board
    ("reach", np.uint16, (MAX_SIZE, 1 << MAX_SIZE)),  # squares reached from an index of a line, by its occupancy
    ("longest", np.uint8, (1 << MAX_SIZE,)),  # maximum over the free squares of a line, by its occupancy
    ("square_at", np.uint8, (16 * MAX_SIZE, 64)),  # square that a bit of `rays` stands for
]
# Field of the state: occupancy of each line.
OCCUPIED = ("lines", np.uint16, (4, LINES))


def make_tables(rules, size):
    """Fill the tables for a board of ``size`` rows and columns."""
    rules.empty_lines = (1 << MAX_SIZE) - 1
    for square in (16 * row + column for row in range(size) for column in range(size)):
        row, column = square // 16, square % 16
        for kind, line in enumerate((row, column, row - column + MAX_SIZE - 1, row + column)):
            place = row if kind == 1 else column
            rules.empty_lines[kind, line] ^= 1 << place
            for other in range(MAX_SIZE):
                rules.square_at[square, 16 * kind + other] = (square + STEPS[kind] * (other - place)) % 256
    occupied = np.arange(1 << MAX_SIZE)
    for place in range(MAX_SIZE):
        reached = np.zeros(1 << MAX_SIZE, np.int64)
        for step in (-1, 1):
            free = np.ones(1 << MAX_SIZE, np.int64)
            at = place + step
            while 0 <= at < MAX_SIZE:
                free &= ~occupied >> at & 1
                reached |= free << at
                at += step
        rules.reach[place] = reached
        rules.longest = np.maximum(rules.longest, np.bitwise_count(reached) * (~occupied >> place & 1))


def clear(rules, state):
    """Empty the board."""
    for kind in range(4):
        for line in range(LINES):
            state.lines[kind, line] = rules.empty_lines[kind, line]


def toggle(state, square):
    """Flip a square between empty and occupied."""
    row, column = square >> 4, square & 15
    state.lines[0, row] ^= 1 << column
    state.lines[1, column] ^= 1 << row
    state.lines[2, row - column + MAX_SIZE - 1] ^= 1 << column
    state.lines[3, row + column] ^= 1 << column


def rays(rules, state, square, left):
    """Return the squares a queen reaches from ``square``, treating ``left`` as empty: 16 bits per kind of line."""
    row, column = square >> 4, square & 15
    past, beside = left >> 4, left & 15
    level = state.lines[0, row] & ~(np.int64(row == past) << beside)
    upright = state.lines[1, column] & ~(np.int64(column == beside) << past)
    rising = state.lines[2, row - column + MAX_SIZE - 1] & ~(np.int64(row - column == past - beside) << beside)
    falling = state.lines[3, row + column] & ~(np.int64(row + column == past + beside) << beside)
    return (
        np.uint64(rules.reach[column, level])
        | (np.uint64(rules.reach[row, upright]) << np.uint64(16))
        | (np.uint64(rules.reach[column, rising]) << np.uint64(32))
        | (np.uint64(rules.reach[column, falling]) << np.uint64(48))
    )


def max_reach(rules, state):
    """Return an upper bound on the squares reached from any free square: the sum of the maxima per kind of line."""
    total = 0
    for kind in range(4):
        longest = 0
        for line in range(LINES):
            longest = max(longest, np.int64(rules.longest[state.lines[kind, line]]))
        total += longest
    return total


def square_name(square):
    return cell_name(16, square)


def square_number(name):
    return 16 * (int(name[1:]) - 1) + "abcdefghij".index(name[0])
