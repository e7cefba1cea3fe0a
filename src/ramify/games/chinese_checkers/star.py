"""The star of 73 cells: steps, hops and goals.

A cell set is two words: cells 0 to 63, and cells 64 to 72.
"""

from collections.abc import Iterable

import numpy as np

from ramify.core.numbers.bits import ZERO, bit, lowest, nth, popcount, without_lowest
from ramify.core.numbers.rng import below

CELLS = 73
PIECES = 6
WIDTHS = (1, 2, 3, 10, 9, 8, 7, 8, 9, 10, 3, 2, 1)  # lengths of the rows, from the bottom
ROW = np.array([row for row, width in enumerate(WIDTHS) for _ in range(width)])
ASIDE = [2 * k - width + 1 for width in WIDTHS for k in range(width)]  # distance from the middle, in half cells
AT = {(int(row), aside): cell for cell, (row, aside) in enumerate(zip(ROW, ASIDE, strict=True))}
WAYS = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))
NEXT = np.array([[AT.get((row + up, aside + side), -1) for row, aside in AT] for up, side in WAYS])
POINT = CELLS - PIECES  # opposite point: cells 67 to 72 for player 0, 0 to 5 for player 1


def as_words(cells: Iterable[int]) -> tuple[int, int]:
    members = sum(1 << int(cell) for cell in cells)
    return members & (1 << 64) - 1, members >> 64


def steps_between(one: int, other: int) -> int:
    """Return the distance of two cells in steps; a step changes the row and half a column, or one column."""
    rows, asides = abs(int(ROW[one]) - int(ROW[other])), abs(ASIDE[one] - ASIDE[other])
    return rows + max(0, (asides - rows) // 2)


FARTHEST = 16  # upper bound on the distance of two cells, in steps
STEPS = np.array([[steps_between(one, other) for other in range(CELLS)] for one in range(CELLS)])
WITHIN = np.array([[as_words(np.flatnonzero(row <= k)) for k in range(FARTHEST)] for row in STEPS], np.uint64)
POINTS = np.array([as_words(range(POINT, CELLS)), as_words(range(PIECES))], np.uint64)  # opposite point, by player


def inside(player, cell):
    """Whether a cell belongs to a player's opposite point."""
    return cell >= POINT if player == 0 else cell < PIECES


def in_point(state, player, piece):
    """Return how many cells of a player's opposite point hold ``piece`` (0: empty, else 1 + player)."""
    count = 0
    for k in range(PIECES):
        count += state.cells[k + (POINT if player == 0 else 0)] == piece
    return count


def goal_of(state, player):
    """Return a player's goal: the empty cell of the opposite point nearest its tip, or the tip if it is full."""
    for k in range(PIECES):
        cell = CELLS - 1 - k if player == 0 else k
        if state.cells[cell] == 0:
            return cell
    return CELLS - 1 if player == 0 else 0


def steps(state, origin):
    """Return the empty neighbours of ``origin``."""
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
    """Return the cells that the piece on ``origin`` can reach by hops.

    Hops end an even number of steps away, so a piece never hops over the cell it has left.
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
    """Return the cells that the piece on ``origin`` can reach by a step or by hops."""
    low, high = steps(state, origin)
    far_low, far_high = hops(state, origin)
    return low | far_low, high | far_high


def allowed_targets(rules, state, player, origin, lenient):
    """Return the cells allowed by ``stay`` and ``forward`` as targets; ``lenient``: also those farther away."""
    low, high = ~ZERO, ~ZERO
    if rules.stay != 0 and inside(player, origin):
        low, high = POINTS[player, 0], POINTS[player, 1]
    if rules.forward != 0 and not lenient:
        goal = goal_of(state, player)
        left = STEPS[goal, origin]
        low &= WITHIN[goal, left, 0]
        high &= WITHIN[goal, left, 1]
    return low, high


def offered(rules, state, player, origin, lenient):
    """Return the targets of the legal moves of the piece on ``origin``."""
    low, high = destinations(state, origin)
    if rules.stay != 0 or rules.forward != 0:
        here_low, here_high = allowed_targets(rules, state, player, origin, lenient)
        low &= here_low
        high &= here_high
    return low, high


def hop_on(state, from_low, from_high):
    """Return the cells one hop away from any cell of a set."""
    low, high = ZERO, ZERO
    while from_low != ZERO or from_high != ZERO:
        if from_low != ZERO:
            at = lowest(from_low)
            from_low = without_lowest(from_low)
        else:
            at = 64 + lowest(from_high)
            from_high = without_lowest(from_high)
        for way in range(6):
            over_it = NEXT[way, at]
            to = NEXT[way, over_it] if over_it >= 0 else -1
            if to >= 0 and state.cells[over_it] != 0 and state.cells[to] == 0:
                if to < 64:
                    low |= bit(to)
                else:
                    high |= bit(to - 64)
    return low, high


def draw_by_hops(rules, state, player, origin, rng):
    """Draw a target for the piece on ``origin``, or -1: in the opposite point by weight hops, else by weight 1 + hops.

    A step into the point counts as one hop. Hops are the minimum number that leads to a cell.
    """
    may_low, may_high = allowed_targets(rules, state, player, origin, 0)
    into_low, into_high = POINTS[player, 0], POINTS[player, 1]
    if inside(player, origin):
        into_low, into_high = ZERO, ZERO
    chosen, seen, entering = -1, 0, False
    low, high = steps(state, origin)
    at_low = bit(origin) if origin < 64 else ZERO
    at_high = ZERO if origin < 64 else bit(origin - 64)
    done_low, done_high = ZERO, ZERO
    hops_made = 0
    while True:
        if hops_made > 0:
            low, high = hop_on(state, at_low, at_high)
            low &= ~done_low
            high &= ~done_high
            if low == ZERO and high == ZERO:
                return chosen
            at_low, at_high = low, high
            done_low |= low
            done_high |= high
        ends_low, ends_high = low & may_low, high & may_high
        weight = 1 + hops_made
        enter = (ends_low & into_low) != ZERO or (ends_high & into_high) != ZERO
        if enter and not entering:
            entering, seen = True, 0
        if entering:
            ends_low &= into_low
            ends_high &= into_high
            weight = max(1, hops_made)
        first = popcount(ends_low)
        count = first + popcount(ends_high)
        seen += weight * count
        if count > 0 and below(rng, seen) < weight * count:
            n = below(rng, count)
            chosen = nth(ends_low, n) if n < first else 64 + nth(ends_high, n - first)
        hops_made += 1
