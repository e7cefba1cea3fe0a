"""Voronoi territory: the cells that each of two riders reaches first. The map has one word per row."""

import numpy as np

from ramify.core.numbers.bits import ONE

WIDTH = 64  # bits of a word
MAX_CELLS = 54 * WIDTH
UNREACHED = 1 << 30


def cell_of(row, column):
    return (row + 1) * WIDTH + column + 1


def distances_from(taken, start, rival, distances, queue):
    """Write the distance of every free cell from ``start``; ``rival`` blocks the way."""
    for cell in range(MAX_CELLS):
        distances[cell] = UNREACHED
    distances[start] = distances[rival] = 0
    queue[0] = start
    head = 0
    tail = 1
    while head < tail:
        cell = queue[head]
        head += 1
        for side in range(4):
            beside = cell + (WIDTH if side == 0 else -WIDTH if side == 1 else 1 if side == 2 else -1)
            if distances[beside] == UNREACHED and not (taken[beside // WIDTH] >> np.uint64(beside % WIDTH)) & ONE:
                distances[beside] = distances[cell] + 1
                queue[tail] = beside
                tail += 1


def territory(taken, first, second, first_delay, distances, queue):
    """Return the first rider's lead in cells reached first, and the number of cells reached by either.

    The rider at ``first`` is ``first_delay`` moves behind. ``distances`` (2 x MAX_CELLS) and ``queue`` (MAX_CELLS) are
    scratch. If the riders are separated, each owns all cells it can reach.
    """
    distances_from(taken, first, second, distances[0], queue)
    distances_from(taken, second, first, distances[1], queue)
    lead = 0
    cells = 0
    for cell in range(MAX_CELLS):
        ours, theirs = distances[0, cell], distances[1, cell]
        if min(ours, theirs) < UNREACHED and max(ours, theirs) > 0:
            cells += 1
            lead += (ours + first_delay < theirs) - np.int64(ours + first_delay > theirs)
    return lead, cells
