"""Voronoi territory on maps of words, a row a word: which cells each of two riders reaches first."""

import numpy as np

from ramify.core.numbers.bits import ONE

WIDTH = 64  # bits of a word
MAX_CELLS = 54 * WIDTH
UNREACHED = 1 << 30


def cell_of(row, column):
    """The number of a cell."""
    return (row + 1) * WIDTH + column + 1


def distances_from(taken, start, rival, distances, queue):
    """Write the distance of every free cell from the cell ``start``, where nobody gets through ``rival``."""
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


def territory(taken, first, second, late, distances, queue):
    """How many more cells the rider at ``first`` reaches before the one at ``second`` than the other way; all cells.

    The first rider is ``late`` moves behind. ``distances`` has two rows of MAX_CELLS, ``queue`` one. Where the riders
    are apart each has all cells in its reach.
    """
    distances_from(taken, first, second, distances[0], queue)
    distances_from(taken, second, first, distances[1], queue)
    lead = 0
    cells = 0
    for cell in range(MAX_CELLS):
        ours, theirs = distances[0, cell], distances[1, cell]
        if min(ours, theirs) < UNREACHED and max(ours, theirs) > 0:
            cells += 1
            lead += (ours + late < theirs) - np.int64(ours + late > theirs)
    return lead, cells
